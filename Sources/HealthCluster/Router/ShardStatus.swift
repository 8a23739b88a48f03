/// What a process has of a shard.
public struct ShardStatus: Sendable {
  /// What the copy of the store is.
  public enum Role: Hashable, Sendable {
    /// The copy that takes what is saved.
    case primary
    /// A copy that follows the primary.
    case replica
  }

  /// The shard.
  public var shard: String
  /// What this process's copy is.
  public var role: Role
  /// The last sequence number that it has.
  public var end: UInt64
  /// For a replica, how many records the stream has, as far as it was read, that are not applied;
  /// for a primary, how many are durable and not confirmed by the stream.
  public var lag: UInt64
  /// Whether a replica has to be made of a backup again; it follows no more.
  public var needsBackup: Bool
  /// Why a primary publishes no more, or what a replica met last; nil while all is well.
  ///
  /// A primary with a `ReplicationError.gap` goes on once a replica closes it.
  ///
  /// A replica that met an error of its stream tries again and again. An error of its store, a
  /// `StoreError`, ends following: close the shard and open it again.
  public var failure: (any Error)?
}
