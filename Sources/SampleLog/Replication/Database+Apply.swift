/// Applies the primary's commits to a replica.
extension Database {
  /// A decoded commit of the primary.
  private typealias Commit = (frame: StoredFrame, payload: CommitPayload)

  /// Applies commits of the primary under their original sequence numbers.
  ///
  /// Each commit is on stable storage before it becomes visible; then observers are notified. After
  /// a failed write the handle accepts no further commits, because only reopening the store reveals
  /// which data reached the disk.
  ///
  /// - Parameters:
  ///   - frames: The commits, in order, all after the store's end.
  ///   - epoch: The epoch of the commits. If it differs from the store's, the first commit records
  ///     the earlier epochs.
  ///   - chain: The history chain before the first commit.
  ///   - floor: The primary's floor; the replica discards no deletion above it.
  /// - Returns: The new end of the store's history.
  /// - Throws: ``StoreError/gap(end:next:)`` if preceding commits are missing, and
  ///   ``StoreError/diverged(sequence:)`` if the commits belong to another history, both before
  ///   anything is written; ``StoreError/damaged(file:offset:reason:)`` if a commit cannot be
  ///   decoded; or an error of the operating system.
  @discardableResult
  package func apply(
    _ frames: [StoredFrame], of epoch: UInt32, after chain: HistoryChain, floor: UInt64
  ) throws -> HistoryPosition {
    try checkOpen()
    guard options.primaryName != nil else {
      throw StoreError.invalid("Only a replica applies commits of another copy.")
    }
    return try committer.exclusively {
      try checkInPlace()
      guard let writer = committer.writer else { throw StoreError.closed }
      if writer.hasFailed { throw StoreError.invalid("A write failed; open the replica again.") }
      if let first = frames.first { try check(first, after: chain, writer) }
      let commits = try read(frames)
      replication.withLock { $0.primaryFloor = max($0.primaryFloor, floor) }
      var rest = commits[...]
      if epoch != self.epoch, let first = rest.popFirst() { try begin(epoch, with: first) }
      while !rest.isEmpty {
        let group = rest.prefix(max(1, together(rest)))
        rest = rest.dropFirst(group.count)
        try append(Array(group))
      }
      guard let writer = committer.writer else { throw StoreError.closed }
      return HistoryPosition(last: end, chain: writer.history)
    }
  }

  /// Applies frames that the primary has rebuilt from its segments, atomically.
  ///
  /// - Parameters:
  ///   - frames: Contiguous frames, of which the first directly follows the store's end.
  ///   - epoch: The store's epoch.
  ///   - chain: The history chain before the first frame.
  ///   - end: The history position after the last frame.
  ///   - floor: The primary's floor.
  /// - Throws: The errors of ``apply(_:of:after:floor:)``.
  package func apply(
    rebuilt frames: [StoredFrame], of epoch: UInt32, after chain: HistoryChain,
    to end: HistoryPosition, floor: UInt64
  ) throws {
    try checkOpen()
    try committer.exclusively {
      try checkInPlace()
      guard options.primaryName != nil, let writer = committer.writer, !writer.hasFailed else {
        throw StoreError.invalid("Only a replica that can write applies commits of another copy.")
      }
      guard let first = frames.first, epoch == self.epoch, first.first == self.end + 1 else {
        throw StoreError.gap(end: self.end, next: frames.first?.first ?? end.last)
      }
      try check(first, after: chain, writer)
      let commits = try read(frames)
      let isWhole = zip(frames, frames.dropFirst()).allSatisfy { $1.first == $0.last + 1 }
      guard isWhole, frames.last?.last == end.last else {
        throw StoreError.damaged(
          file: "commit \(first.first)", offset: 0, reason: "rebuilt records are missing")
      }
      replication.withLock { $0.primaryFloor = max($0.primaryFloor, floor) }
      // The frames contain no rows that precede the erasure of their subject.
      let erased = try commits.flatMap { try samplesErased(by: $0.payload) }
      try beginLog(of: epoch, with: commits, rebuilt: end)
      show(Delta(commits, end: end.last), erased: erased)
    }
  }

  private func check(_ first: StoredFrame, after chain: HistoryChain, _ writer: LogWriter) throws {
    guard first.first > end else { throw StoreError.diverged(sequence: first.first) }
    guard chain == writer.history else {
      throw first.first > end + 1
        ? StoreError.gap(end: end, next: first.first) : StoreError.diverged(sequence: first.first)
    }
  }

  private func read(_ frames: [StoredFrame]) throws -> [Commit] {
    var last = end
    return try frames.map { frame in
      guard frame.first > last, let payload = frame.payload(symbols) else {
        throw StoreError.damaged(
          file: "commit \(frame.first)", offset: 0, reason: "its records make no sense")
      }
      last = frame.last
      return (frame, payload)
    }
  }

  /// Returns the number of leading commits to write together.
  ///
  /// Their sequence numbers are contiguous. An erasure is written separately, because it requires
  /// all earlier commits to be visible.
  private func together(_ commits: ArraySlice<Commit>) -> Int {
    var last: UInt64?
    return commits.prefix { frame, payload in
      defer { last = frame.last }
      return last.map { frame.first == $0 + 1 } ?? true && !payload.isErasing
    }.count
  }

  /// Writes commits to the log with one sync, and makes them visible.
  private func append(_ commits: [Commit]) throws {
    let erased = try samplesErased(by: commits[0].payload)
    committer.next = commits[0].frame.first
    // A log has no gaps, but the primary skips the sequence numbers of failed commits.
    if let writer = committer.writer, committer.next != writer.last + 1 { try rotate() }
    try makeRoom()
    guard let writer = committer.writer else { throw StoreError.closed }
    var bytes: [UInt8] = []
    var (chain, history) = (writer.frameChain, writer.history)
    for (frame, _) in commits {
      let header = frame.header.inLog(
        salt: writer.header.salt, durableThrough: writer.durableThrough)
      frame.encode(header, into: &bytes)
      chain = chained(chain, header.encoded)
      history.append(header)
    }
    let last = commits[commits.count - 1].frame.last
    try writer.append(
      bytes, last: last, chain: chain, history: history, isDurable: true,
      isGrowing: commits.contains { $0.payload.rows.count > 0 })
    committer.next = last + 1
    committer.rawBytes += commits.reduce(0) { $0 + $1.frame.header.rawLength }
    show(Delta(commits, end: last), erased: erased)
  }

  private typealias Delta = TailingReader.Delta

  /// Begins an epoch with the commit that records the earlier epochs.
  ///
  /// The new log contains the commit before it gets its name. Otherwise no record would state which
  /// files of other epochs belong to the store.
  private func begin(_ epoch: UInt32, with commit: Commit) throws {
    // Chains of epochs whose records were written at the same time can be equal.
    guard let lineage = commit.payload.lineage,
      lineage.through(self.epoch).map({ $0 >= end }) == true
    else { throw StoreError.diverged(sequence: commit.frame.first) }
    let identity = StoreIdentity(
      storeID: storeID, epoch: epoch, lineage: lineage, isReplica: isReplica)
    try beginLog(of: epoch, with: [commit], as: identity)
    report(.epochBegan(epoch: epoch, first: commit.frame.first))
    show(Delta([commit], end: commit.frame.last))
  }

  /// Begins a log that contains commits before it gets its name.
  private func beginLog(
    of epoch: UInt32, with commits: [Commit], rebuilt: HistoryPosition? = nil,
    as identity: StoreIdentity? = nil
  ) throws {
    guard let writer = committer.writer, let first = commits.first?.frame.first,
      let last = commits.last?.frame.last
    else { throw StoreError.closed }
    let isEmpty = writer.last < writer.header.first
    // Replaces an empty log with the same name.
    let replaces = isEmpty && writer.header.first == first
    if !replaces { try waitForRoom() }
    var header = LogHeader(
      storeID: storeID, epoch: epoch, first: first, salt: options.random(),
      predecessor: replaces ? writer.header.predecessor : writer.end,
      history: writer.history.value)
    header.rebuilt = rebuilt
    let next = try LogWriter.create(
      header, frames: commits.map(\.frame), in: path, fileSystem: fileSystem,
      zeroStep: options.zeroByteCount
    ) { writer.poison() }
    next.onDurable = { [tail] in tail.advance(to: $0) }
    committer.writer = next
    committer.rawBytes = commits.reduce(0) { $0 + $1.frame.header.rawLength }
    committer.next = last + 1
    tail.advance(to: last)
    let memTable = MemTable(first: header.first, symbols: symbols)
    state.withLock { state in
      if replaces {
        state.replaceActive(by: next.extent)
      } else {
        state.begin(memTable, next.extent, after: writer.end)
      }
      if let identity { state.begin(identity) }
    }
  }

  /// Returns the live samples of the subjects that a commit erases.
  private func samplesErased(by payload: CommitPayload) throws -> [UInt64] {
    let snapshot = snapshot()
    return try payload.settings.compactMap { Erasure.subject(ofKey: $0.key) }.flatMap { subject in
      try snapshot.live(snapshot.series(of: symbols.intern(subject), [.sample, .deletion]))
        .sequences
    }
  }
}

extension CommitPayload {
  /// Whether the commit erases a subject.
  var isErasing: Bool { settings.contains { Erasure.subject(ofKey: $0.key) != nil } }

  /// The record of the earlier epochs, if the commit begins an epoch.
  fileprivate var lineage: Lineage? {
    settings.first { $0.key == Lineage.key }.flatMap { Lineage($0.value) }
  }
}

extension TailingReader.Delta {
  fileprivate init(_ commits: [(frame: StoredFrame, payload: CommitPayload)], end: UInt64) {
    self.commits = commits.map { ($0.payload, $0.frame.first, $0.frame.header.time) }
    self.end = end
  }
}
