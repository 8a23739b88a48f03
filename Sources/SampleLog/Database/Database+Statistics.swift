/// Figures about a store.
public struct StoreStatistics: Hashable, Sendable {
  /// Figures about one subject's samples of one type.
  public struct Series: Hashable, Sendable {
    /// Whose data it is.
    public var subject: String
    /// What kind of data it is.
    public var type: String
    /// Rows, those of deleted samples not yet dropped included.
    public var rows: Int
  }

  /// Live samples.
  public var sampleCount = 0
  /// Deletions that are still remembered.
  public var deletionCount = 0
  /// Rows of deleted samples that compaction would drop.
  public var deadRowCount = 0
  /// Rows in the active log and in logs that wait to be sealed.
  public var unsealedRowCount = 0
  /// Segment files.
  public var segmentCount = 0
  /// Log files.
  public var logCount = 0
  /// Bytes of all files.
  public var byteCount = 0
  /// Anchors below this have expired.
  public var floor: UInt64 = 0
  /// The newest sequence number.
  public var end: UInt64 = 0
  /// Figures by subject and type.
  public var series: [Series] = []
  /// Why sealing or merging in the background failed when it was tried last; nil when it did not.
  ///
  /// What failed is tried again, and the logs keep the data until then.
  public var backgroundFailure: String?

  /// Bytes of all files over live samples; nil when there is none.
  public var bytesPerSample: Double? {
    sampleCount == 0 ? nil : Double(byteCount) / Double(sampleCount)
  }
}

extension Database {
  /// Returns figures about the store as it is now.
  ///
  /// - Throws: An error when the directory cannot be read.
  public func statistics() throws -> StoreStatistics {
    let snapshot = snapshot()
    var result = StoreStatistics()
    result.floor = snapshot.floor
    result.backgroundFailure = state.withLock { $0.backgroundFailure }
    result.end = snapshot.end
    result.segmentCount = snapshot.segments.count
    var rows: [SeriesKey: Int] = [:]
    for segment in snapshot.segments {
      result.deletionCount += segment.deletionCount
      for series in segment.series where series.kind == .sample {
        rows[SeriesKey(subject: series.subject, type: series.type), default: 0] += series.rows
      }
    }
    for tail in snapshot.tails {
      result.unsealedRowCount += tail.rowCount
      for series in tail.series(.sample) { rows[series.key, default: 0] += series.rows }
      for series in tail.series(.deletion) { result.deletionCount += series.rows }
    }
    result.deadRowCount = snapshot.dead.count
    result.sampleCount = rows.values.reduce(0, +) - result.deadRowCount
    result.series = rows.map { key, count in
      StoreStatistics.Series(
        subject: symbols.text(key.subject), type: symbols.text(key.type), rows: count)
    }
    .sorted { ($0.subject, $0.type) < ($1.subject, $1.type) }
    for name in try fileSystem.list(path) ?? [] where FileNames.isData(name) {
      if FileNames.logFirst(name) != nil { result.logCount += 1 }
      // A file may go between listing and opening; it is then no part of the store.
      result.byteCount += (try? fileSystem.open(path + "/" + name, .read).size()) ?? 0
    }
    return result
  }
}

extension FileNames {
  /// Whether a name is that of a log or a segment.
  static func isData(_ name: String) -> Bool {
    logFirst(name) != nil || segmentRange(name) != nil
  }
}
