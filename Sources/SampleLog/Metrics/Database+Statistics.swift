extension Database {
  /// Returns statistics about the current state of the store.
  ///
  /// - Throws: An error if the directory cannot be read. An unreadable block is not an error: the
  ///   deletions in its range are all counted as its deleted rows.
  /// - Complexity: Linear in the number of blocks. Reads the sequence numbers of blocks that may
  ///   contain deleted samples, and the dates of deletions, but no other contents.
  public func statistics() throws -> StoreStatistics {
    let snapshot = snapshot()
    var result = StoreStatistics()
    result.floor = snapshot.floor
    result.backgroundFailure = state.withLock { $0.backgroundFailure }
    result.end = snapshot.end
    result.segmentCount = snapshot.segments.count
    let oldest = options.clock() - options.deletionRetention.seconds
    let needs = DeletionNeeds(state.withLock { $0.settings.all }, snapshot, options)
    var rows: [SeriesKey: Int] = [:]
    let isChild = { (key: SeriesKey) in self.symbols.isChildType(key.type) }
    for segment in snapshot.segments {
      let estimate = CompactionEstimate(segment, deleted: snapshot.deleted) { sequence, time in
        time < oldest && !needs.contains(sequence, time)
      }
      result.segments.append(
        StoreStatistics.Segment(
          name: segment.name, byteCount: segment.fileSize, rowCount: segment.rowCount,
          deletedRowCount: estimate.deletedRowCount,
          forgettableRowCount: estimate.forgettableRowCount,
          reclaimableByteCount: Int(estimate.byteCount)))
      result.deletedRowCount += estimate.deletedRowCount
      for group in segment.series.groups {
        if group.kind == .deletion {
          if !symbols.isChildType(group.type) { result.deletionCount += group.rows.count }
          continue
        }
        for number in group.series {
          let key = SeriesKey(subject: segment.series.subject(number), type: group.type)
          rows[key, default: 0] += segment.series.rows(number).count
        }
      }
    }
    for memTable in snapshot.memTables {
      result.unsealedRowCount += memTable.rowCount
      for series in memTable.series(.sample) { rows[series.key, default: 0] += series.rows }
      for series in memTable.series(.deletion) where !isChild(series.key) {
        result.deletionCount += series.rows
      }
    }
    // Not every number in the deletion vector has a row: moving a subject also moves the deletions
    // of samples that no file contains any more.
    if let first = snapshot.memTables.first?.first {
      result.deletedRowCount += snapshot.deleted.count(first, .max)
    }
    result.sampleCount = rows.values.reduce(0, +) - result.deletedRowCount
    for (key, count) in rows where isChild(key) {
      result.sampleCount -= snapshot.liveRowCount(key, of: count)
      rows[key] = nil
    }
    result.series = rows.map { key, count in
      StoreStatistics.Series(
        subject: symbols.text(key.subject), type: symbols.text(key.type), rows: count)
    }
    .sorted { ($0.subject, $0.type) < ($1.subject, $1.type) }
    for name in try fileSystem.list(path) ?? [] where FileNames.isData(name) {
      let size: Int
      do {
        size = try fileSystem.open(path + "/" + name, .read).size()
      } catch StoreError.inputOutput(_, _, let code, _) where PosixFileSystem.isMissing(code) {
        // The file was removed after it was listed, and is no longer part of the store.
        continue
      }
      result.byteCount += size
      if FileNames.logFirst(name) != nil {
        result.logCount += 1
        result.logByteCount += size
      }
    }
    return result
  }
}

extension Snapshot {
  /// Returns the number of live rows of a series, or of all rows if some cannot be read.
  fileprivate func liveRowCount(_ key: SeriesKey, of all: Int) -> Int {
    do {
      return try sampleCount([key])
    } catch {
      return all
    }
  }
}
