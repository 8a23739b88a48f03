public import SampleLog

/// An error in a shard map.
public enum ShardMapError: Error, Hashable, Sendable {
  /// The data is not JSON, or lacks the fields of a map.
  case malformed(String)
  /// The format is that of a later version of this library.
  case unsupportedFormat(Int)
  /// The version number is below 1, or would overflow.
  case invalidVersion(Int)
  /// The number of shards is not between 1 and 1,024.
  case invalidShardCount(Int)
  /// A shard has an empty name.
  case emptyName
  /// Two shards have the same name.
  case duplicateName(String)
  /// Two shards have the same store.
  case duplicateStore(Identifier)
  /// The identity of a store is not a UUID.
  case invalidStore(shard: String, text: String)
  /// A shard has no address of its primary.
  case emptyAddress(shard: String)
  /// A range of slots is invalid. Slots are in `0 ..< 1024`, and the lower bound comes first.
  case invalidSlots(shard: String, slots: [Int])
  /// A slot is assigned to two shards, or twice to the same shard.
  case slotAssignedTwice(Int, shard: String)
  /// Some slots are assigned to no shard.
  case unassignedSlots(count: Int, first: Int)
  /// A shard has no slots.
  case noSlots(shard: String)
  /// There is no shard with this name.
  case unknownShard(String)
  /// Slots have moved to another shard, which does not have their subjects' data.
  case movedSlots(count: Int, first: Int, from: String, to: String)
  /// A shard has another store than before.
  case changedStore(shard: String)
}

extension ShardMapError: CustomStringConvertible {
  /// A sentence that describes the error and, if there is one, its remedy.
  public var description: String {
    switch self {
    case .malformed(let reason): "This is no map of shards: \(reason)"
    case .unsupportedFormat(let format):
      "The map of shards has the format \(format), which this version does not know."
    case .invalidVersion(let version): "\(version) is not the number of a map's version."
    case .invalidShardCount(let count): "The map has \(count) shards; it must have 1 to 1024."
    case .emptyName: "A shard has no name."
    case .duplicateName(let name): "Two shards are called \"\(name)\"."
    case .duplicateStore(let id): "Two shards have the store \(id)."
    case .invalidStore(let shard, let text):
      "The store of the shard \"\(shard)\" is \"\(text)\", which is no UUID."
    case .emptyAddress(let shard): "The shard \"\(shard)\" has no address of a primary."
    case .invalidSlots(let shard, let slots):
      "The shard \"\(shard)\" has the slots \(slots); a range is two numbers from 0 to 1023, the "
        + "lower one first."
    case .slotAssignedTwice(let slot, let shard):
      "The slot \(slot) of the shard \"\(shard)\" is assigned twice."
    case .unassignedSlots(let count, let first):
      "\(count) slots have no shard, the first of them \(first)."
    case .noSlots(let shard): "The shard \"\(shard)\" has no slots."
    case .unknownShard(let name): "The map has no shard \"\(name)\"."
    case .movedSlots(let count, let first, let from, let to):
      "\(count) slots have another shard than before, such as \(first), which \"\(from)\" had and "
        + "\"\(to)\" has; the data of the people would not be found there."
    case .changedStore(let shard): "The shard \"\(shard)\" has another store than before."
    }
  }
}
