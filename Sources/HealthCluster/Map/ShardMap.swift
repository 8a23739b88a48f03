import SampleLog

/// Which shard has which people.
///
/// A person's subject gives one of 1,024 slots, for ever the same, and the map says which shard has
/// the slot. Versions of a map differ in where the shards' primaries are; none moves a slot,
/// because nothing moves the people's data.
public struct ShardMap: Hashable, Sendable {
  /// How many slots there are.
  public static let slotCount = 1024

  /// The number of the version, from 1 on: of two versions of a map the greater counts.
  public private(set) var version: Int
  /// The shards, each of which has slots.
  public private(set) var shards: [Shard]
  /// For each slot where its shard is in `shards`.
  private var owners: [Int]

  /// Spreads the slots evenly over shards: each gets a range, in their order.
  ///
  /// - Throws: ``ShardMapError`` for more shards than slots or none, a name that is empty or occurs
  ///   twice, a store that does, an empty address, and a version below 1.
  public init(version: Int = 1, shards: [Shard]) throws(ShardMapError) {
    let owners = (0..<Self.slotCount).map { $0 * shards.count / Self.slotCount }
    try self.init(version: version, shards: shards, owners: owners)
  }

  /// Takes shards with the place in the array of each slot's.
  init(version: Int, shards: [Shard], owners: [Int]) throws(ShardMapError) {
    guard version > 0 else { throw .invalidVersion(version) }
    guard 1...Self.slotCount ~= shards.count else { throw .invalidShardCount(shards.count) }
    var names: Set<String> = []
    var stores: Set<Identifier> = []
    for shard in shards {
      if shard.name.isEmpty { throw .emptyName }
      if !names.insert(shard.name).inserted { throw .duplicateName(shard.name) }
      if shard.primary.isEmpty { throw .emptyAddress(shard: shard.name) }
      if let id = shard.storeID, !stores.insert(id).inserted { throw .duplicateStore(id) }
    }
    self.version = version
    self.shards = shards
    self.owners = owners
  }

  /// The slot of a subject: the CRC-32C of its UTF-8 bytes modulo 1,024.
  ///
  /// It depends on nothing else and never changes. Subjects are compared byte by byte, so two
  /// spellings of one character are two people, in two slots.
  public static func slot(of subject: String) -> Int {
    Int(checksum(Array(subject.utf8)) % UInt32(slotCount))
  }

  /// The shard that has a person.
  ///
  /// - Complexity: Linear in the length of the subject.
  public func shard(of subject: String) -> Shard { shards[owners[Self.slot(of: subject)]] }

  /// The shard that has a slot.
  ///
  /// - Parameter slot: From 0 to 1,023.
  /// - Returns: The shard; nil for another number.
  public func shard(ofSlot slot: Int) -> Shard? {
    owners.indices.contains(slot) ? shards[owners[slot]] : nil
  }

  /// The shard of a name; nil when there is none.
  public func shard(named name: String) -> Shard? { shards.first { $0.name == name } }

  /// The slots that a shard has, in order; none for a name that no shard has.
  public func slots(of name: String) -> [ClosedRange<Int>] {
    guard let index = shards.firstIndex(where: { $0.name == name }) else { return [] }
    var ranges: [ClosedRange<Int>] = []
    for slot in owners.indices where owners[slot] == index {
      if let last = ranges.last, last.upperBound == slot - 1 {
        ranges[ranges.count - 1] = last.lowerBound...slot
      } else {
        ranges.append(slot...slot)
      }
    }
    return ranges
  }

  // MARK: Versions

  /// The next version, in which a shard's primary is elsewhere.
  ///
  /// - Parameters:
  ///   - address: Where the copy is that was promoted.
  ///   - name: The shard.
  /// - Returns: The map to give to all processes.
  /// - Throws: ``ShardMapError/unknownShard(_:)``, ``ShardMapError/emptyAddress(shard:)``, and
  ///   ``ShardMapError/invalidVersion(_:)`` behind the last version there is.
  public func naming(
    primary address: String, of name: String
  ) throws(ShardMapError) -> ShardMap {
    guard let index = shards.firstIndex(where: { $0.name == name }) else {
      throw .unknownShard(name)
    }
    guard version < .max else { throw .invalidVersion(version) }
    var shards = shards
    shards[index].primary = address
    return try ShardMap(version: version + 1, shards: shards, owners: owners)
  }

  /// Whether everybody's data is where another version of the map says: each slot has the shard of
  /// the same name, and no shard another store.
  public func isCompatible(with other: ShardMap) -> Bool {
    do {
      try checkCompatible(with: other)
      return true
    } catch {
      return false
    }
  }

  /// Throws what ``isCompatible(with:)`` finds.
  ///
  /// - Throws: ``ShardMapError/movedSlots(count:first:from:to:)`` and
  ///   ``ShardMapError/changedStore(shard:)``.
  public func checkCompatible(with other: ShardMap) throws(ShardMapError) {
    let moved = owners.indices.filter { slot in
      shards[owners[slot]].name != other.shards[other.owners[slot]].name
    }
    if let first = moved.first {
      throw .movedSlots(
        count: moved.count, first: first, from: other.shards[other.owners[first]].name,
        to: shards[owners[first]].name)
    }
    for shard in shards {
      if let id = shard.storeID, let known = other.shard(named: shard.name)?.storeID, id != known {
        throw .changedStore(shard: shard.name)
      }
    }
  }
}
