/// An error of replication.
public enum ReplicationError: Error, Hashable, Sendable {
  /// The stream has the messages of another store.
  case anotherStore
  /// The commit is durable on the primary, but the stream did not confirm it in time.
  ///
  /// The commit may be lost if the primary is lost.
  case notReplicated(through: UInt64)
  /// The commit is durable on the primary, but no replica could apply it.
  ///
  /// Neither the stream nor a log has some of the commits before it.
  case gap(PublishingGap)
  /// The commit is durable on the primary and in the stream, but too few replicas confirmed it.
  ///
  /// The commit may still reach the replicas later.
  case notCopied(through: UInt64, copies: Int, wanted: Int)
  /// The replica to promote ends before another replica's report, or follows an earlier epoch.
  ///
  /// Promoting it may lose acknowledged commits.
  case behind(replica: String, last: UInt64, end: UInt64)
  /// The stream ends with messages of a newer epoch that are not a whole commit.
  ///
  /// The replica can neither follow nor replace that epoch, whose primary may continue or be lost.
  case unfinished(epoch: UInt32)
  /// The replica has not reached the anchor.
  case notHereYet(anchor: UInt64, end: UInt64)
  /// The stream does not continue the replica, which must be created again from a backup.
  ///
  /// The replica has a different history, or the stream begins after the end of the replica.
  case needsBackup(end: UInt64)
  /// The transport cannot transfer copies.
  case copiesUnsupported
  /// No running copy of the store has answered a request for a copy.
  case noCopyOffered
  /// The bytes of a copy that another one has sent are damaged.
  case damagedCopy(reason: String)
  /// The replica to replace has commits that the copy does not have.
  case notInCopy(epoch: UInt32, end: UInt64)
}

extension ReplicationError: CustomStringConvertible {
  /// A sentence that describes the error and, if possible, its remedy.
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
      "The stream does not continue the replica, which ends at \(end); recreate it from a backup."
    case .copiesUnsupported:
      "The stream's transport cannot transfer copies; make the replica from a backup."
    case .noCopyOffered:
      "No running copy of the store answers a request for a copy; start the primary or a replica."
    case .damagedCopy(let reason):
      "The copy that was received is damaged: \(reason); request it again."
    case .notInCopy(let epoch, let end):
      "The replica ends at \(end) of epoch \(epoch), which the copy does not have; move its "
        + "directory away first."
    }
  }
}
