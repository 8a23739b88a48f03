import SampleLog

/// Makes a replica the primary, step by step.
///
/// The replica reads all that the stream has, then appends the record of a new epoch, expecting the
/// message that it has read last. If that is accepted, everything in the stream before is in the
/// replica, and nothing of an older epoch behind it counts any more.
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
  private var proposal: Proposal?

  private struct Proposal {
    var bytes: [UInt8]
    var expected: UInt64
    var epoch: UInt32
  }

  /// Begins the promotion of a replica, which nobody else may step meanwhile.
  public init(_ replica: Replica) { self.replica = replica }

  /// Goes one step further.
  ///
  /// A promotion that is given up after its record was sent may succeed all the same: then the
  /// epoch has no primary until another replica is promoted.
  ///
  /// - Throws: What ``Replica/step()`` throws.
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
    guard replica.lag == 0, replica.reader.writer.map({ $0.term < next.term }) ?? true else {
      _ = try replica.step()
      return .waiting
    }
    let commits = LogTail.Commits(frames: [next.frame], epoch: next.epoch, before: next.before)
    let writer = Writer(
      storeID: replica.database.storeID, epoch: next.epoch, term: next.term,
      epochFirst: next.frame.first)
    let messages = Message.messages(
      of: commits, writer: writer, floor: replica.database.snapshot().floor)
    guard messages.count == 1 else { return .waiting }
    let proposal = Proposal(
      bytes: messages[0].encoded, expected: replica.reader.cursor, epoch: next.epoch)
    self.proposal = proposal
    return try send(proposal)
  }

  private func send(_ proposal: Proposal) throws -> Step {
    // An error leaves as much open as no answer.
    let outcome =
      (try? replica.transport.append(proposal.bytes, expecting: proposal.expected)) ?? .unknown
    switch outcome {
    case .accepted(let sequence): return try begin(proposal, sequence)
    case .refused, .unknown: return .waiting
    }
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
    // Where the message in that place is gone as well, those behind it tell what it was.
    guard found.sequence == place, found.bytes == proposal.bytes else {
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
