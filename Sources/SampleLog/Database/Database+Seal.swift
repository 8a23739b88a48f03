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
      try sealWaitingTails()
    }
  }

  /// Starts a new log and tail; only the leader of a group may call it.
  func rotate() throws {
    guard let writer = committer.writer else { throw StoreError.closed }
    try checkInPlace()
    try waitForRoom()
    // Buffered commits must not be overtaken by durable ones in the next log, and what a successor
    // states of a log must be there.
    try writer.sync()
    let header = LogHeader(
      storeID: storeID, epoch: epoch, first: committer.next, salt: options.random(),
      predecessor: writer.end)
    let next = try LogWriter.create(
      header, in: path, fileSystem: fileSystem, zeroStep: options.zeroByteCount
    ) {
      // What a successor says of this log is final, and once it is being named it may be there
      // even if that fails: what were written here then would be gone after a crash.
      writer.abandon()
    }
    committer.writer = next
    committer.rawBytes = 0
    let tail = Tail(first: header.first, symbols: symbols)
    state.withLock { $0.begin(tail, next.extent, after: writer.end) }
    if options.sealsInBackground { scheduleSealing() }
  }

  func scheduleSealing() {
    sealing.async { [weak self] in
      guard let self else { return }
      do {
        try sealWaitingTails()
        state.withLock { $0.backgroundFailure = nil }
        releaseFreeMemory()
        scheduleMerging()
      } catch {
        // The logs keep the data; whoever needs the memory back meets the error.
        state.withLock { $0.backgroundFailure = "\(error)" }
      }
    }
  }

  /// Memory is bounded: no more than three tails wait.
  private func waitForRoom() throws {
    guard state.withLock({ $0.tails.count }) > 3 else { return }
    try sealing.sync { try sealWaitingTails() }
  }

  /// Seals all tails but the active one, oldest first; runs on the sealing queue.
  private func sealWaitingTails() throws {
    while true {
      let waiting = state.withLock { state in
        state.closings.first.map { (state.tails[0], state.tails[1].first - 1, $0) }
      }
      guard let (tail, last, closing) = waiting else { return }
      try seal(tail, last: last, closing)
    }
  }

  private func seal(_ tail: Tail, last: UInt64, _ snapshot: Snapshot) throws {
    guard last >= tail.first else {
      state.withLock { $0.replaceOldestTail(by: nil, dropped: []) }
      remove([FileNames.log(first: tail.first)])
      return
    }
    let header = SegmentHeader(
      storeID: storeID, epoch: epoch, first: tail.first, last: last, generation: 0,
      floor: snapshot.floor, deadThrough: snapshot.end)
    let controls = state.withLock { state in
      state.controls.values.filter { tail.first <= $0.sequence && $0.sequence <= last }
    }
    var dropped: [UInt64] = []
    let segment = try writeSegment(header, expecting: tail.rowCount) { writer in
      for kind in [RowKind.sample, .deletion] {
        for series in tail.series(kind).sorted(by: { $0.key < $1.key }) {
          try SeriesSealer(
            tail: tail, key: series.key, kind: kind, dead: snapshot.dead,
            blockRowCount: options.blockRowCount
          )
          .write(to: writer, dropped: &dropped)
        }
      }
      return controls
    }
    state.withLock { $0.replaceOldestTail(by: segment, dropped: dropped) }
    // The segment is durable under its name; the log is only in the way now.
    remove([FileNames.log(first: tail.first)])
  }

  /// Removes files that others stand for; where that fails the next opening does it.
  func remove(_ names: [String]) {
    // In another directory the same names are another store's.
    guard (try? checkInPlace()) != nil else { return }
    for name in names { try? fileSystem.remove(path + "/" + name) }
  }

  /// Writes a segment under a temporary name, makes it durable and gives it its name.
  func writeSegment(
    _ header: SegmentHeader, expecting rows: Int, _ body: (SegmentWriter) throws -> [Control]
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
        file: file, header: header, symbols: symbols, expecting: rows)
      let controls = try body(writer)
      _ = try writer.finish(controls: controls)
      try file.sync()
      // Read it back before it counts.
      let segment = try Segment(
        file: file, name: name, symbols: symbols, filter: IdentifierFilter(writer.keys),
        indexMemory: caches.indexes)
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

extension SeriesKey: Comparable {
  /// Orders keys in some way that is the same throughout a process.
  public static func < (left: SeriesKey, right: SeriesKey) -> Bool {
    left.subject == right.subject ? left.type < right.type : left.subject < right.subject
  }
}
