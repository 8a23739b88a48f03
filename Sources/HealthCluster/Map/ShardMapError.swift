public import SampleLog

/// What is wrong with a map of shards.
public enum ShardMapError: Error, Hashable, Sendable {
  /// It is no JSON, or has not the fields of a map.
  case malformed(String)
  /// A later version of this library wrote it.
  case unsupportedFormat(Int)
  /// The number of its version is below 1, or there is none behind it.
  case invalidVersion(Int)
  /// There must be from 1 to 1,024 shards.
  case invalidShardCount(Int)
  /// A shard has no name.
  case emptyName
  /// Two shards have one name.
  case duplicateName(String)
  /// Two shards have one store.
  case duplicateStore(Identifier)
  /// A store's identity is no UUID.
  case invalidStore(shard: String, text: String)
  /// It does not say where a shard's primary is.
  case emptyAddress(shard: String)
  /// Slots that there are not: they go from 0 to 1,023, the first of a range in front.
  case invalidSlots(shard: String, slots: [Int])
  /// A slot has two shards, or one twice.
  case slotAssignedTwice(Int, shard: String)
  /// Slots have no shard.
  case unassignedSlots(count: Int, first: Int)
  /// A shard has no slots.
  case noSlots(shard: String)
  /// There is no shard of this name.
  case unknownShard(String)
  /// Slots have another shard than before, where the data of the people is not.
  case movedSlots(count: Int, first: Int, from: String, to: String)
  /// A shard has another store than before.
  case changedStore(shard: String)
}

extension ShardMapError: CustomStringConvertible {
  /// One sentence that says what is wrong and, where there is something to do, what.
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
