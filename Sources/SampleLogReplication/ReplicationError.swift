/// Why replication could not do what it was asked to.
public enum ReplicationError: Error, Hashable, Sendable {
  /// The stream has the messages of another store.
  case anotherStore
  /// The commit is on the primary's disk, but the stream did not confirm it in time; it may be
  /// lost if the primary is.
  case notReplicated(through: UInt64)
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
    case .notHereYet(let anchor, let end):
      "The anchor \(anchor) is ahead of the replica, which ends at \(end); try again later."
    case .needsBackup(let end):
      "The stream does not continue the replica, which ends at \(end); make it of a backup again."
    }
  }
}
