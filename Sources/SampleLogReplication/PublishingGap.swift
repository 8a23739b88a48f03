internal import SampleLog

/// Commits of a primary that are missing from its stream and no longer in its logs.
///
/// Replicas that end before the gap cannot apply later commits. These therefore do not count as
/// published until a replica reports that it has the missing commits, such as one created from a
/// backup. There is no gap if the primary can publish the contents of its segments instead, or
/// while it tries to.
public struct PublishingGap: Hashable, Sendable {
  /// The last sequence number that the stream has confirmed.
  public let published: UInt64
  /// The last sequence number before the logs.
  ///
  /// It is at or before ``published`` if the logs begin another history.
  public let continued: UInt64
}

extension PublishingGap: CustomStringConvertible {
  /// A sentence about the missing commits, and one about how to continue.
  public var description: String {
    "The stream ends at \(published), and the logs continue from \(continued); the gap is "
      + "only in the store's segments. Make a backup and replicas from it: publishing resumes once "
      + "one of them has reported."
  }
}

extension Database {
  /// Returns whether a reporting replica can apply this store's commits after a position.
  func canContinue(_ report: ReplicaReport, from start: HistoryPosition) -> Bool {
    guard report.last >= start.last, report.last <= durableEnd else { return false }
    // A repaired copy begins a history of its own, which no earlier replica can follow.
    if report.last == start.last, report.chain != start.chain { return false }
    if report.epoch == epoch { return true }
    return earlierEpochs.contains { $0.epoch == report.epoch && report.last <= $0.last }
  }
}
