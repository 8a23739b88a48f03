/// The status of a process's copy of a shard.
public struct ShardStatus: Sendable {
  /// The role of a copy of a store.
  public enum Role: Hashable, Sendable {
    /// The copy that accepts writes.
    case primary
    /// A copy that follows the primary.
    case replica
  }

  /// The name of the shard.
  public var shard: String
  /// The role of this process's copy.
  public var role: Role
  /// The sequence number of the last commit in the copy.
  public var end: UInt64
  /// The replication lag, in records.
  ///
  /// For a replica, the records from its end to the end of the stream as last read; for a primary,
  /// the durable records that the stream has not confirmed.
  public var lag: UInt64
  /// Whether a replica must be recreated from a backup.
  ///
  /// It no longer follows the primary.
  public var needsBackup: Bool
  /// The error that stopped a primary from publishing, or the last error of a replica.
  ///
  /// Nil if there is none.
  ///
  /// A primary with a `ReplicationError.gap` resumes once a replica closes the gap.
  ///
  /// A replica retries after an error of its stream. An error of its store, a `StoreError`, ends
  /// replication: close the shard and open it again.
  public var failure: (any Error)?
}
