import SampleLog

/// The promotion of a replica to primary, performed step by step.
///
/// The replica reads the whole stream and publishes the commits of its history that the stream has
/// lost. Then it appends the record of a new epoch, expecting the last message that it has read. If
/// the stream accepts the record, the replica has everything that precedes it, and later messages
/// of older epochs are rejected.
public final class Promotion {
  /// The result of a step.
  public enum Step: Hashable, Sendable {
    /// The promotion is not decided yet.
    case waiting
    /// The stream has accepted the new epoch, and the replica has begun it.
    ///
    /// Close the replica, and open it as a ``Primary`` with
    /// ``Primary/promote(_:transport:options:fileSystem:)``.
    case promoted
  }

  private let replica: Replica
  private let ignoresReports: Bool
  private let asksPrimary: Bool
  /// The last request to the primary, and the time at which it was made, by the replica's clock.
  private var request: (handover: Handover, time: Double)?
  /// The time of the last look for an answer that found none.
  private var unansweredAt = 0.0
  /// The time until which the primary holds its commits, once it has answered.
  private var heldUntil: Double?
  /// The number of consecutive checks at which another replica was ahead of this one, while this
  /// one did not advance.
  private var timesBehind = (count: 0, end: UInt64(0))
  /// The number of consecutive reads at which the stream ended within a newer epoch.
  private var timesSuperseded = 0
  private var proposal: Proposal?
  /// The publisher of commits that the stream has lost, and the end of the history to publish.
  ///
  /// Nil while the stream has everything.
  private var publishing: (publisher: Publisher, end: HistoryPosition)?

  private struct Proposal {
    var bytes: [UInt8]
    var expected: UInt64
    var epoch: UInt32
  }

  /// Creates the promotion of a replica, which the caller must not step during the promotion.
  ///
  /// - Parameters:
  ///   - replica: The replica.
  ///   - ignoresReports: Whether to promote the replica even if another one has reported more;
  ///     commits that only the other one has are then lost.
  ///   - asksPrimary: Whether to wait until the primary holds its commits and has published all of
  ///     them, so that the promotion loses none. A primary answers when it checks its stream.
  ///     Without this, a promotion may not succeed while the primary publishes without a pause.
  public init(_ replica: Replica, ignoresReports: Bool = false, asksPrimary: Bool = false) {
    self.replica = replica
    self.ignoresReports = ignoresReports
    self.asksPrimary = asksPrimary
  }

  /// The epoch whose record was sent but is not decided yet.
  package var proposedEpoch: UInt32? { proposal?.epoch }

  /// Runs the next step of the promotion.
  ///
  /// A promotion that is abandoned after its record was sent may still succeed. The epoch then has
  /// no primary until another replica is promoted.
  ///
  /// - Throws: The errors of ``Replica/step()``, ``ReplicationError/behind(replica:last:end:)`` if
  ///   the stream does not lead to what another replica has reported, and
  ///   ``ReplicationError/unfinished(epoch:)`` if the stream ends in the middle of a commit that
  ///   the primary of a newer epoch publishes.
  public func step() throws -> Step {
    if let proposal {
      // The replica may have read its own record.
      return try replica.database.epoch == proposal.epoch ? .promoted : resolve(proposal)
    }
    let end = try replica.transport.end()
    while replica.reader.cursor < end {
      guard try replica.step() == .advanced else { return .waiting }
    }
    guard try primaryHolds() else { return .waiting }
    // The sequence number alone does not prove that the message is the one that was read.
    guard try replica.confirmsPlace() else { return .waiting }
    // If the replica lacks valid commits, it is behind and reads them again.
    let next = try replica.database.epochStart()
    let newer = replica.reader.writer.flatMap { $0.term < next.term ? nil : $0.epoch }
    guard replica.lag == 0, newer == nil else { return try wait(for: newer) }
    timesSuperseded = 0
    if try publishesLost() { return .waiting }
    let commits = LogTail.Commits(frames: [next.frame], epoch: next.epoch, before: next.before)
    let writer = Writer(
      storeID: replica.database.storeID, epoch: next.epoch, term: next.term,
      epochFirst: next.frame.first)
    let messages = Message.messages(
      of: commits, writer: writer, floor: replica.database.snapshot().floor)
    guard messages.count == 1 else { return .waiting }
    return try send(
      Proposal(bytes: messages[0].encoded, expected: replica.reader.cursor, epoch: next.epoch))
  }

  /// The time after which the primary is asked again, in seconds: longer than it holds its commits.
  private static let requestSeconds = 3 * Primary.handoverSeconds

  /// Asks the primary to hold its commits, and returns whether it does.
  private func primaryHolds() throws -> Bool {
    guard asksPrimary, let epoch = replica.reader.writer?.epoch else { return true }
    let time = replica.clock()
    if let heldUntil, unansweredAt...heldUntil ~= time { return true }
    guard heldUntil == nil, let request,
      request.time...(request.time + Self.requestSeconds) ~= time
    else {
      let number = UInt64.random(in: 0 ... .max)
      let handover = Handover(storeID: replica.database.storeID, epoch: epoch, number: number)
      try replica.transport.report(handover.encoded, from: Handover.name)
      self.request = (handover, time)
      (unansweredAt, heldUntil) = (time, nil)
      return false
    }
    var answer = request.handover
    answer.isAnswer = true
    if try replica.transport.reports()[Handover.name] == answer.encoded {
      // A quarter is left for the append that follows.
      heldUntil = unansweredAt + Primary.handoverSeconds * 0.75
    } else {
      unansweredAt = time
    }
    // The primary may have published more before it answered.
    return false
  }

  /// Continues reading while the epoch that the stream has begun may still continue.
  private func wait(for newer: UInt32?) throws -> Step {
    let step = try replica.step()
    timesSuperseded = newer != nil && step == .idle ? timesSuperseded + 1 : 0
    if let newer, timesSuperseded > Replica.staleAnswerLimit {
      throw ReplicationError.unfinished(epoch: newer)
    }
    return .waiting
  }

  /// Publishes the commits of the replica's history that the stream has lost, as the primary of its
  /// epoch would.
  ///
  /// Otherwise replicas that read the stream could not follow the new epoch.
  ///
  /// - Returns: Whether there is more to publish, or something new to read.
  private func publishesLost() throws -> Bool {
    let database = replica.database
    let end = try database.historyEnd
    if end.last == 0 || replica.reader.end == end {
      publishing = nil
      return false
    }
    // If the history has advanced, its logs may have changed.
    if publishing?.end != end {
      // Commits that no log has cannot be published, but the promotion must terminate.
      publishing = (Publisher(database, replica.transport, crossesGaps: true), end)
    }
    do {
      switch try publishing?.publisher.step() {
      // The new epoch begins after the gap.
      case .idle, .blocked, nil: return false
      case .located, .accepted, .unresolved: return true
      }
    } catch StoreError.fenced, StoreError.diverged {
      // Another copy has published in the meantime, and its messages are read next; or the stream
      // has lost this replica's epoch, and the replica needs a backup.
      publishing = nil
      _ = try replica.step()
      return true
    }
  }

  private func send(_ proposal: Proposal) throws -> Step {
    guard try isAhead() else { return .waiting }
    self.proposal = proposal
    // An error leaves the outcome unknown, as if there had been no answer.
    let outcome =
      (try? replica.transport.append(proposal.bytes, expecting: proposal.expected)) ?? .unknown
    switch outcome {
    case .accepted(let sequence): return try begin(proposal, sequence)
    case .refused, .unknown: return .waiting
    }
  }

  /// Returns whether no other replica has reported more than this one has.
  ///
  /// This replica has everything that the stream returned. Other commits arrive later, if an answer
  /// was stale, or were lost by the stream.
  private func isAhead() throws -> Bool {
    let database = replica.database
    let other =
      try ignoresReports
      ? nil : replica.transport.reports(of: database.storeID).ahead(of: database)
    guard let other else {
      timesBehind.count = 0
      return true
    }
    // While the primary publishes, another replica may always be ahead.
    if timesBehind.end != database.durableEnd { timesBehind = (0, database.durableEnd) }
    timesBehind.count += 1
    guard timesBehind.count <= Replica.staleAnswerLimit else {
      throw ReplicationError.behind(
        replica: other.name, last: other.report.last, end: database.durableEnd)
    }
    _ = try replica.step()
    return false
  }

  /// Reads the message at the position for which the record was sent.
  private func resolve(_ proposal: Proposal) throws -> Step {
    let place = proposal.expected + 1
    guard let found = try replica.transport.read(from: place, limit: 1).first else {
      // Either the stream is shorter than before, or the record has not arrived and is sent again.
      if try replica.transport.end() < proposal.expected {
        self.proposal = nil
        return .waiting
      }
      return try send(proposal)
    }
    // If the message at that position has been removed, later messages reveal whether it was the
    // record. If the message before it is not the one that was read, the stream has lost that one,
    // and the record arrived late.
    guard found.sequence == place, found.bytes == proposal.bytes, try replica.confirmsPlace()
    else {
      self.proposal = nil
      return .waiting
    }
    return try begin(proposal, place)
  }

  private func begin(_ proposal: Proposal, _ sequence: UInt64) throws -> Step {
    try replica.take(StreamMessage(sequence: sequence, bytes: proposal.bytes))
    self.proposal = nil
    return replica.database.epoch == proposal.epoch ? .promoted : .waiting
  }
}
