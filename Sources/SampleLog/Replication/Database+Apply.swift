extension Database {
  /// A commit of the primary, read.
  private typealias Commit = (frame: StoredFrame, payload: CommitPayload)

  /// Applies commits of the primary under the sequence numbers that they have there.
  ///
  /// Each is on stable storage before it is visible, as a commit of the store's own is, and then
  /// observers are notified. After a write that failed the handle takes no more: what reached the
  /// disk is known once the store is opened again.
  ///
  /// - Parameters:
  ///   - frames: The commits, in order; all of them behind the store's end.
  ///   - epoch: The epoch that they are of; the first commit of another than the store's own
  ///     records the epochs before it.
  ///   - chain: The chain of the history before the first of them.
  ///   - floor: The primary's floor; the replica forgets no deletion above it.
  /// - Returns: Where the store's history ends now.
  /// - Throws: ``StoreError/gap(end:next:)`` when commits before these are missing,
  ///   ``StoreError/diverged(sequence:)`` when they are of another history, both before anything is
  ///   written; ``StoreError/damaged(file:offset:reason:)`` for a commit that cannot be read; or an
  ///   error of the operating system.
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

  /// Applies frames that the primary has rebuilt from its segments: all of them or none.
  ///
  /// - Parameters:
  ///   - frames: Frames without a gap in their numbers, the first right behind the store's end.
  ///   - epoch: The store's epoch.
  ///   - chain: The chain of the history before the first of them.
  ///   - end: The place in the history that they lead to.
  ///   - floor: The primary's floor.
  /// - Throws: What ``apply(_:of:after:floor:)`` throws.
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
      // Of erased subjects no row before the erasure is among them.
      let erased = try commits.flatMap { try samplesErased(by: $0.payload) }
      try beginLog(of: epoch, with: commits, rebuilt: end)
      show(News(commits, end: end.last), erased: erased)
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

  /// How many of the next commits are written together: those without a gap in their numbers, and
  /// no erasure, which needs everything before it to be visible.
  private func together(_ commits: ArraySlice<Commit>) -> Int {
    var last: UInt64?
    return commits.prefix { frame, payload in
      defer { last = frame.last }
      return last.map { frame.first == $0 + 1 } ?? true && !payload.isErasing
    }.count
  }

  /// Writes commits to the log, with one sync, and shows them.
  private func append(_ commits: [Commit]) throws {
    let erased = try samplesErased(by: commits[0].payload)
    committer.next = commits[0].frame.first
    // A log has no gaps in its numbers, and so far no commit that failed at the primary.
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
    show(News(commits, end: last), erased: erased)
  }

  private typealias News = Follower.News

  /// Begins an epoch with the commit that records the epochs before it.
  ///
  /// The log has the commit from the moment it has its name: without it nothing would say which
  /// files of other epochs are the store's.
  private func begin(_ epoch: UInt32, with commit: Commit) throws {
    // The chain does not tell epochs apart whose records were written at the same time.
    guard let lineage = commit.payload.lineage,
      lineage.through(self.epoch).map({ $0 >= end }) == true
    else { throw StoreError.diverged(sequence: commit.frame.first) }
    let identity = StoreIdentity(storeID: storeID, epoch: epoch, lineage: lineage)
    try beginLog(of: epoch, with: [commit], as: identity)
    report(.epochBegan(epoch: epoch, first: commit.frame.first))
    show(News([commit], end: commit.frame.last))
  }

  /// Begins a log that has commits from the moment it has its name.
  private func beginLog(
    of epoch: UInt32, with commits: [Commit], rebuilt: HistoryPosition? = nil,
    as identity: StoreIdentity? = nil
  ) throws {
    guard let writer = committer.writer, let first = commits.first?.frame.first,
      let last = commits.last?.frame.last
    else { throw StoreError.closed }
    let isEmpty = writer.last < writer.header.first
    // An empty log that has the name is replaced.
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
    ) { writer.abandon() }
    next.didSettle = { [tail] in tail.settle($0) }
    committer.writer = next
    committer.rawBytes = commits.reduce(0) { $0 + $1.frame.header.rawLength }
    committer.next = last + 1
    tail.settle(last)
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

  /// The live samples of the subjects that a commit erases.
  private func samplesErased(by payload: CommitPayload) throws -> [UInt64] {
    let snapshot = snapshot()
    return try payload.settings.compactMap { Erasure.subject(ofKey: $0.key) }.flatMap { subject in
      try snapshot.live(snapshot.series(of: symbols.intern(subject), [.sample, .deletion]))
        .sequences
    }
  }
}

extension CommitPayload {
  /// Whether it erases a subject.
  var isErasing: Bool { settings.contains { Erasure.subject(ofKey: $0.key) != nil } }

  /// The record of epochs that it begins another one with.
  fileprivate var lineage: Lineage? {
    settings.first { $0.key == Lineage.key }.flatMap { Lineage($0.value) }
  }
}

extension Follower.News {
  fileprivate init(_ commits: [(frame: StoredFrame, payload: CommitPayload)], end: UInt64) {
    self.commits = commits.map { ($0.payload, $0.frame.first, $0.frame.header.time) }
    self.end = end
  }
}
