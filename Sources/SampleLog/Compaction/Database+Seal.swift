internal import Dispatch

extension Database {
  /// Turns what the active log holds into a segment and waits until that is done.
  ///
  /// Sealing happens by itself when a log is full; a caller may want small stores sealed.
  ///
  /// - Throws: An error when the segment could not be written; the log then still has the data.
  public func seal() throws {
    try checkWritable()
    try checkInPlace()
    try committer.exclusively {
      if state.withLock({ $0.active }).isEmpty, committer.writer?.hasFailed != true { return }
      try rotate()
    }
    try sealing.sync {
      // Whoever closed it meanwhile has given up the lock.
      try checkOpen()
      try sealWaitingMemTables()
    }
  }

  /// Starts a new log and memtable; only the leader of a group may call it.
  func rotate() throws {
    guard let writer = committer.writer else { throw StoreError.closed }
    try checkInPlace()
    try waitForRoom()
    // Buffered commits must not be overtaken by durable ones in the next log, and what a successor
    // states of a log must be there.
    try writer.sync()
    let header = LogHeader(
      storeID: storeID, epoch: epoch, first: committer.next, salt: options.random(),
      predecessor: writer.end, history: writer.history.value)
    let next = try LogWriter.create(
      header, in: path, fileSystem: fileSystem, zeroStep: options.zeroByteCount
    ) {
      // What a successor says of this log is final, and once it is being named it may be there
      // even if that fails: what were written here then would be gone after a crash.
      writer.abandon()
    }
    next.didSettle = { [tail] in tail.settle($0) }
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
        // The logs keep the data; whoever needs the memory back meets the error.
        state.withLock { $0.backgroundFailure = "\(error)" }
      }
    }
  }

  /// Gives memory back to the system once nothing has been sealed or merged for a second: under
  /// load the next memtable would ask for it again, page by page.
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

  /// Memory is bounded: no more than three memtables wait.
  func waitForRoom() throws {
    guard state.withLock({ $0.memTables.count }) > 3 else { return }
    try sealing.sync { try sealWaitingMemTables() }
  }

  /// Seals all memtables but the active one, oldest first; runs on the sealing queue.
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
      floor: snapshot.floor, deadThrough: snapshot.end)
    let settings = state.withLock { state in
      state.settings.all.filter { memTable.first <= $0.sequence && $0.sequence <= last }
    }
    var dropped: [UInt64] = []
    let start = ContinuousClock.now
    let segment = try writeSegment(header, expecting: memTable.rowCount) { writer in
      try memTable.write(to: writer, without: snapshot.dead, dropped: &dropped)
      return settings
    }
    state.withLock { $0.replaceOldestMemTable(by: segment, dropped: dropped) }
    activity.withLock { $0.sealings.add(since: start) }
    report(
      .sealed(
        rowCount: segment.rowCount, byteCount: segment.fileSize,
        seconds: Self.seconds(since: start)))
    checkSpace()
    // The segment is durable under its name; the log is only in the way now.
    retire(logFirst: memTable.first)
  }

  /// Removes a log that a segment stands for, or keeps it until it is published.
  private func retire(logFirst first: UInt64) {
    guard options.keepsSealedLogs else { return remove([FileNames.log(first: first)]) }
    guard (try? checkInPlace()) != nil else { return }
    // Where that fails the next opening does it.
    try? fileSystem.rename(
      path + "/" + FileNames.log(first: first), to: path + "/" + FileNames.sealedLog(first: first))
  }

  /// Removes files that others stand for; where that fails the next opening does it.
  func remove(_ names: [String]) {
    // In another directory the same names are another store's.
    guard (try? checkInPlace()) != nil else { return }
    for name in names { try? fileSystem.remove(path + "/" + name) }
  }

  /// Writes a segment under a temporary name, makes it durable and gives it its name.
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
      // Read it back before it counts.
      let segment = try Segment(
        file: file, name: name, symbols: symbols, filter: BloomFilter(writer.keys),
        indexMemory: caches.indexes, events: events)
      // A directory that took this one's place would have it in front of its own files.
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

  /// The last steps of closing, when nobody else works any more.
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
