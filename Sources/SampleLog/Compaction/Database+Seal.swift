internal import Dispatch

extension Database {
  /// Seals the active log into a segment and waits for completion.
  ///
  /// Full logs are sealed automatically; call this method to seal a small store.
  ///
  /// - Throws: An error if the segment could not be written; the log then retains the data.
  public func seal() throws {
    try checkWritable()
    try checkInPlace()
    try committer.exclusively {
      if state.withLock({ $0.active }).isEmpty, committer.writer?.hasFailed != true { return }
      try rotate()
    }
    try sealing.sync {
      // If the store was closed concurrently, its lock has been released.
      try checkOpen()
      try sealWaitingMemTables()
    }
  }

  /// Starts a new log and memtable; only the leader of a commit group may call it.
  func rotate() throws {
    guard let writer = committer.writer else { throw StoreError.closed }
    try checkInPlace()
    try waitForRoom()
    // Sync first: durable commits in the next log must not overtake buffered ones, and the new
    // log's header states the end of this one.
    try writer.sync()
    let header = LogHeader(
      storeID: storeID, epoch: epoch, first: committer.next, salt: options.random(),
      predecessor: writer.end, history: writer.history.value)
    let next = try LogWriter.create(
      header, in: path, fileSystem: fileSystem, zeroStep: options.zeroByteCount
    ) {
      // Poison this log, because its successor, which states where this log ends, may exist even if
      // the rename fails. Later writes to this log would be lost in a crash.
      writer.poison()
    }
    next.onDurable = { [tail] in tail.advance(to: $0) }
    committer.writer = next
    committer.rawBytes = 0
    let memTable = MemTable(first: header.first, symbols: symbols)
    state.withLock { $0.begin(memTable, next.extent, after: writer.end) }
    if options.sealsInBackground { scheduleSealing() }
  }

  func scheduleSealing() {
    sealing.async { [weak self] in
      guard let self else { return }
      do {
        try sealWaitingMemTables()
        state.withLock { $0.backgroundFailure = nil }
        releaseMemoryWhenIdle()
        scheduleMerging()
      } catch {
        // The logs retain the data; a commit that needs the memory retries and reports the error.
        state.withLock { $0.backgroundFailure = "\(error)" }
      }
    }
  }

  /// Returns freed memory to the operating system after one second without sealing or merging.
  ///
  /// Under load the next memtable would request the memory again, page by page.
  func releaseMemoryWhenIdle() {
    let work = backgroundWork.withLock { count in
      count += 1
      return count
    }
    sealing.asyncAfter(deadline: .now() + 1) { [weak self] in
      guard let self, backgroundWork.withLock({ $0 == work }) else { return }
      ChunkMemory.releaseUnused()
      releaseFreeMemory()
    }
  }

  /// Seals the waiting memtables if there are three, which bounds the memory use.
  func waitForRoom() throws {
    guard state.withLock({ $0.memTables.count }) > 3 else { return }
    try sealing.sync { try sealWaitingMemTables() }
  }

  /// Seals all memtables except the active one, oldest first; runs on the sealing queue.
  private func sealWaitingMemTables() throws {
    while true {
      let waiting = state.withLock { state in
        state.closings.first.map { (state.memTables[0], state.memTables[1].first - 1, $0) }
      }
      guard let (memTable, last, closing) = waiting else { return }
      try seal(memTable, last: last, closing)
    }
  }

  private func seal(_ memTable: MemTable, last: UInt64, _ snapshot: Snapshot) throws {
    guard last >= memTable.first else {
      state.withLock { $0.replaceOldestMemTable(by: nil, dropped: []) }
      retire(logFirst: memTable.first)
      return
    }
    let header = SegmentHeader(
      storeID: storeID, epoch: epoch, first: memTable.first, last: last, generation: 0,
      floor: snapshot.floor, deletedThrough: snapshot.end)
    let settings = state.withLock { state in
      state.settings.all.filter { memTable.first <= $0.sequence && $0.sequence <= last }
    }
    var dropped: [UInt64] = []
    let start = ContinuousClock.now
    let segment = try writeSegment(header, expecting: memTable.rowCount) { writer in
      try memTable.write(to: writer, without: snapshot.deleted, dropped: &dropped)
      return settings
    }
    state.withLock { $0.replaceOldestMemTable(by: segment, dropped: dropped) }
    activity.withLock { $0.sealings.add(since: start) }
    report(
      .sealed(
        rowCount: segment.rowCount, byteCount: segment.fileSize,
        seconds: Self.seconds(since: start)))
    checkSpace()
    // The segment is durable under its final name, so the log is redundant.
    retire(logFirst: memTable.first)
  }

  /// Removes a log that a segment replaces, or keeps it until it is published.
  private func retire(logFirst first: UInt64) {
    guard options.keepsSealedLogs else { return remove([FileNames.log(first: first)]) }
    guard (try? checkInPlace()) != nil else { return }
    // If renaming fails, the next recovery does it.
    try? fileSystem.rename(
      path + "/" + FileNames.log(first: first), to: path + "/" + FileNames.sealedLog(first: first))
  }

  /// Removes files that others replace; if that fails, the next recovery does it.
  func remove(_ names: [String]) {
    // If the directory was replaced, the same names may belong to another store.
    guard (try? checkInPlace()) != nil else { return }
    for name in names { try? fileSystem.remove(path + "/" + name) }
  }

  /// Writes a segment under a temporary name, syncs it and renames it.
  func writeSegment(
    _ header: SegmentHeader, expecting rows: Int, _ body: (SegmentWriter) throws -> [Setting]
  ) throws -> Segment {
    let name = FileNames.segment(
      first: header.first, last: header.last, generation: header.generation)
    let final = path + "/" + name
    let temporary = final + FileNames.temporarySuffix
    try checkInPlace()
    try? fileSystem.remove(temporary)
    do {
      let file = try fileSystem.open(temporary, .create)
      let writer = try SegmentWriter(
        file: file, header: header, symbols: symbols, expecting: rows,
        blockRowCount: options.blockRowCount)
      let settings = try body(writer)
      _ = try writer.finish(settings: settings)
      try file.sync()
      // Read the segment back before it takes effect.
      let segment = try Segment(
        file: file, name: name, symbols: symbols, filter: BloomFilter(writer.keys),
        indexMemory: caches.indexes, events: events)
      // If the directory was replaced, the segment would hide the other directory's files.
      try checkInPlace()
      try fileSystem.rename(temporary, to: final)
      file.wasRenamed(to: final)
      try fileSystem.syncDirectory(path)
      return segment
    } catch {
      try? fileSystem.remove(temporary)
      throw error
    }
  }

  /// Performs the last steps of closing, after all other work has ended.
  func finish() throws {
    try committer.exclusively {
      defer { committer.writer = nil }
      guard let writer = committer.writer else { return }
      try checkInPlace()
      try writer.sync()
      if !writer.hasFailed { try writer.trim() }
    }
  }
}
