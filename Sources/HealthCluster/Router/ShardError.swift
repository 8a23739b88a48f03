public import SampleLog

/// Why a router could not do what it was asked to.
public enum ShardError: Error, Hashable, Sendable {
  /// The person's store is not open in this process; its primary is at an address.
  case elsewhere(shard: String, primary: String)
  /// The map has no shard of this name.
  case unknownShard(String)
  /// The shard is open in this process already.
  case isOpen(shard: String)
  /// This process has no replica of the shard.
  case notAReplica(shard: String)
  /// The directory has another store than the map says.
  case wrongStore(shard: String, expected: Identifier, found: Identifier)
  /// The map is no later version than the one in use.
  case outdatedMap(version: Int, current: Int)
  /// The shard's primary has a lease still, or nobody could ask.
  case hasPrimary(shard: String)
  /// The stream did not confirm a promotion in time; it may come to be all the same.
  case notPromoted(shard: String)
  /// The router was closed.
  case closed
}

extension ShardError: CustomStringConvertible {
  /// One sentence that says what happened and, where there is something to do, what.
  public var description: String {
    switch self {
    case .elsewhere(let shard, let primary):
      "The shard \"\(shard)\" is not open in this process; ask its primary, \(primary)."
    case .unknownShard(let name): "The map has no shard \"\(name)\"."
    case .isOpen(let shard): "The shard \"\(shard)\" is open in this process already."
    case .notAReplica(let shard): "This process has no replica of the shard \"\(shard)\"."
    case .wrongStore(let shard, let expected, let found):
      "The directory has the store \(found), and the shard \"\(shard)\" the store \(expected)."
    case .outdatedMap(let version, let current):
      "The map's version is \(version), and \(current) is in use; only a later one replaces it."
    case .hasPrimary(let shard):
      "The primary of the shard \"\(shard)\" has a lease still, or the stream does not say; "
        + "nothing was promoted."
    case .notPromoted(let shard):
      "The stream did not confirm the promotion of the shard \"\(shard)\" in time; promote it "
        + "again."
    case .closed: "The router has been closed."
    }
  }
}
