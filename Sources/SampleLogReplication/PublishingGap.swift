internal import SampleLog

/// Commits of a primary that its stream does not have, and its logs have not any more.
///
/// Replicas that end before them cannot follow what comes behind, so nothing behind them counts as
/// published until a replica reports that it has them: one that was made of a backup. There is no
/// gap if the primary can publish what its segments have instead, or as long as it tries.
public struct PublishingGap: Hashable, Sendable {
  /// The last sequence number that the stream has confirmed.
  public let published: UInt64
  /// The last sequence number before what the logs have; at or before ``published`` if the logs
  /// begin another history.
  public let continued: UInt64
}

extension PublishingGap: CustomStringConvertible {
  /// One sentence that says what is missing, and one that says how to continue.
  public var description: String {
    "The stream ends at \(published), and the logs go on from \(continued); what lies between is "
      + "only in the store's segments. Make a backup and replicas of it: publishing goes on once "
      + "one of them has reported."
  }
}

extension Database {
  /// Whether a report is of a replica that can apply what this store has behind a sequence number.
  func isFollowed(by report: ReplicaReport, from last: UInt64) -> Bool {
    guard report.last >= last, report.last <= durableEnd else { return false }
    if report.epoch == epoch { return true }
    return earlierEpochs.contains { $0.epoch == report.epoch && report.last <= $0.last }
  }
}
