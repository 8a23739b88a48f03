public import SampleLog

/// An error of a shard router.
public enum ShardError: Error, Hashable, Sendable {
  /// The subject's shard is not open in this process; its primary is at the given address.
  case elsewhere(shard: String, primary: String)
  /// The map has no shard with this name.
  case unknownShard(String)
  /// The shard is already open in this process.
  case isOpen(shard: String)
  /// This process has no replica of the shard.
  case notAReplica(shard: String)
  /// The directory holds another store than the map specifies.
  case wrongStore(shard: String, expected: Identifier, found: Identifier)
  /// The map's version is not later than that of the current map.
  case outdatedMap(version: Int, current: Int)
  /// The shard's primary still has its lease, or the stream could not be reached to check.
  case hasPrimary(shard: String)
  /// The stream did not confirm the promotion in time. It may still take effect.
  case notPromoted(shard: String)
  /// The router is closed.
  case closed
}

extension ShardError: CustomStringConvertible {
  /// A sentence that describes the error and, if there is one, its remedy.
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
