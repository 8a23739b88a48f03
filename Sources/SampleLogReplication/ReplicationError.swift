/// Why replication could not do what it was asked to.
public enum ReplicationError: Error, Hashable, Sendable {
  /// The stream has the messages of another store.
  case anotherStore
  /// The commit is on the primary's disk, but the stream did not confirm it in time; it may be
  /// lost if the primary is.
  case notReplicated(through: UInt64)
  /// The commit is on the primary's disk, but neither the stream nor a log has some of those before
  /// it, so no replica could apply it.
  case gap(PublishingGap)
  /// The commit is on the primary's disk and in the stream, but too few replicas have confirmed in
  /// time that it is on theirs, too; it may come to be there later.
  case notCopied(through: UInt64, copies: Int, wanted: Int)
  /// The replica that is to be promoted ends before what another has reported to have on its disk,
  /// or follows an earlier epoch; promoting it may lose commits that were acknowledged.
  case behind(replica: String, last: UInt64, end: UInt64)
  /// The stream ends with messages of a newer epoch than the replica's that are no whole commit, so
  /// the replica can neither follow nor replace it; its primary may go on, or be lost.
  case unfinished(epoch: UInt32)
  /// The replica has not come as far as the anchor.
  case notHereYet(anchor: UInt64, end: UInt64)
  /// The replica's history is not the stream's, or begins before it; make it of a backup again.
  case needsBackup(end: UInt64)
}

extension ReplicationError: CustomStringConvertible {
  /// One sentence that says what happened and, where there is something to do, what.
  public var description: String {
    switch self {
    case .anotherStore: "The stream has the messages of another store."
    case .notReplicated(let last):
      "The commits up to \(last) are saved here, but the stream has not confirmed them."
    case .gap(let gap): gap.description
    case .notCopied(let last, let copies, let wanted):
      "The commits up to \(last) are saved here and in the stream, but only \(copies) of \(wanted) "
        + "replicas have confirmed that they have them."
    case .behind(let replica, let last, let end):
      "The replica ends at \(end), and \(replica) has reported commits up to \(last) that are not "
        + "in it; promote that one."
    case .unfinished(let epoch):
      "The stream ends in the middle of what the primary of epoch \(epoch) publishes; start that "
        + "one, or if it is lost remove the stream."
    case .notHereYet(let anchor, let end):
      "The anchor \(anchor) is ahead of the replica, which ends at \(end); try again later."
    case .needsBackup(let end):
      "The stream does not continue the replica, which ends at \(end); make it of a backup again."
    }
  }
}
