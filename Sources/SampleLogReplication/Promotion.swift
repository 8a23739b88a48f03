import SampleLog

/// Makes a replica the primary, step by step.
///
/// The replica reads all that the stream has and publishes what the stream has lost of its own
/// history. Then it appends the record of a new epoch, expecting the message that it has read last.
/// If that is accepted, everything in the stream before is in the replica, and nothing of an older
/// epoch behind it counts any more.
public final class Promotion {
  /// What one step has done.
  public enum Step: Hashable, Sendable {
    /// It is not decided yet.
    case waiting
    /// The stream has accepted the new epoch and the replica has begun it. Close the replica, and
    /// open it as a ``Primary`` with ``Primary/promote(_:transport:options:fileSystem:)``.
    case promoted
  }

  private let replica: Replica
  private let ignoresReports: Bool
  /// How often in a row another replica was ahead of this one.
  private var timesBehind = 0
  /// How often in a row the stream ended within a newer epoch.
  private var timesSuperseded = 0
  private var proposal: Proposal?
  /// Publishes what the stream has lost of a history that ends there; nil while it has everything.
  private var publishing: (publisher: Publisher, end: HistoryPosition)?

  private struct Proposal {
    var bytes: [UInt8]
    var expected: UInt64
    var epoch: UInt32
  }

  /// Begins the promotion of a replica, which nobody else may step meanwhile.
  ///
  /// - Parameters:
  ///   - replica: The replica.
  ///   - ignoresReports: Whether it is promoted even if another replica has reported more, which
  ///     loses what only that one has.
  public init(_ replica: Replica, ignoresReports: Bool = false) {
    self.replica = replica
    self.ignoresReports = ignoresReports
  }

  /// The epoch whose record was sent and is not decided yet.
  package var proposedEpoch: UInt32? { proposal?.epoch }

  /// Goes one step further.
  ///
  /// A promotion that is given up after its record was sent may succeed all the same: then the
  /// epoch has no primary until another replica is promoted.
  ///
  /// - Throws: What ``Replica/step()`` throws,
  ///   ``ReplicationError/behind(replica:last:end:)`` when the stream does not lead on to what
  ///   another replica has reported, and ``ReplicationError/unfinished(epoch:)`` when it ends in
  ///   the middle of a commit that the primary of a newer epoch publishes.
  public func step() throws -> Step {
    if let proposal { return try resolve(proposal) }
    let end = try replica.transport.end()
    while replica.reader.cursor < end {
      guard try replica.step() == .advanced else { return .waiting }
    }
    // The number alone does not say that the message is the one that was read.
    guard try replica.confirmsPlace() else { return .waiting }
    // What counts and is not here is missing: the replica is behind, and reads it again.
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

  /// Reads on, as long as there is a chance that the epoch which the stream has begun goes on.
  private func wait(for newer: UInt32?) throws -> Step {
    let step = try replica.step()
    timesSuperseded = newer != nil && step == .idle ? timesSuperseded + 1 : 0
    if let newer, timesSuperseded > Replica.staleAnswerLimit {
      throw ReplicationError.unfinished(epoch: newer)
    }
    return .waiting
  }

  /// Publishes what the stream has lost of the replica's history, as the primary of its epoch
  /// would: whoever follows the stream could not follow the new epoch otherwise.
  ///
  /// - Returns: Whether there is more to publish, or something new to read.
  private func publishesLost() throws -> Bool {
    let database = replica.database
    let end = try database.historyEnd
    if end.last == 0 || replica.reader.end == end {
      publishing = nil
      return false
    }
    // The logs of a history that has gone on may be others.
    if publishing?.end != end {
      // Of what no log has any more there is nothing to publish, and the promotion has to end.
      publishing = (Publisher(database, replica.transport, crossesGaps: true), end)
    }
    do {
      return try publishing?.publisher.step() != .idle
    } catch StoreError.fenced, StoreError.diverged {
      // Somebody has published meanwhile, which is read next.
      publishing = nil
      return true
    }
  }

  private func send(_ proposal: Proposal) throws -> Step {
    guard try isAhead() else { return .waiting }
    self.proposal = proposal
    // An error leaves as much open as no answer.
    let outcome =
      (try? replica.transport.append(proposal.bytes, expecting: proposal.expected)) ?? .unknown
    switch outcome {
    case .accepted(let sequence): return try begin(proposal, sequence)
    case .refused, .unknown: return .waiting
    }
  }

  /// Whether no other replica has reported more than this one has.
  ///
  /// What the stream has is here. What is missing then either comes, because an answer was old, or
  /// was lost by the stream.
  private func isAhead() throws -> Bool {
    let database = replica.database
    let other =
      try ignoresReports
      ? nil : replica.transport.reports(of: database.storeID).ahead(of: database)
    guard let other else {
      timesBehind = 0
      return true
    }
    timesBehind += 1
    guard timesBehind <= Replica.staleAnswerLimit else {
      throw ReplicationError.behind(
        replica: other.name, last: other.report.last, end: database.durableEnd)
    }
    _ = try replica.step()
    return false
  }

  /// Reads what has taken the place that the record was meant for.
  private func resolve(_ proposal: Proposal) throws -> Step {
    let place = proposal.expected + 1
    guard let found = try replica.transport.read(from: place, limit: 1).first else {
      // The stream is shorter than it was, or the record has not come and may be sent again.
      if try replica.transport.end() < proposal.expected {
        self.proposal = nil
        return .waiting
      }
      return try send(proposal)
    }
    // Where the message in that place is gone as well, those behind it tell what it was. Where the
    // one before it is another than was read, the stream has lost that, and the record came late.
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
