import SampleLog

/// A map from subjects to shards.
///
/// A subject is hashed to one of 1,024 slots, and the map assigns each slot to a shard. The hash
/// never changes. Versions of a map differ only in the addresses of primaries. They do not move
/// slots between shards, because the subjects' data does not move.
public struct ShardMap: Hashable, Sendable {
  /// The number of slots.
  public static let slotCount = 1024

  /// The version number, starting at 1.
  ///
  /// The map with the highest version is current.
  public private(set) var version: Int
  /// The shards, each of which owns at least one slot.
  public private(set) var shards: [Shard]
  /// The index in `shards` of each slot's shard.
  private var owners: [Int]

  /// Creates a map that distributes the slots evenly: each shard gets a contiguous range, in
  /// order.
  ///
  /// - Throws: ``ShardMapError`` if there are no shards or more shards than slots, a name is empty
  ///   or not unique, a store is not unique, an address is empty, or the version is below 1.
  public init(version: Int = 1, shards: [Shard]) throws(ShardMapError) {
    let owners = (0..<Self.slotCount).map { $0 * shards.count / Self.slotCount }
    try self.init(version: version, shards: shards, owners: owners)
  }

  /// Creates a map from shards and the shard index of each slot.
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

  /// Returns the slot of a subject: the CRC-32C of its UTF-8 bytes modulo 1,024.
  ///
  /// The slot depends on nothing else and never changes. Subjects are compared byte by byte, so
  /// two encodings of the same character denote two subjects, in different slots.
  public static func slot(of subject: String) -> Int {
    Int(checksum(Array(subject.utf8)) % UInt32(slotCount))
  }

  /// Returns the shard of a subject.
  ///
  /// - Complexity: Linear in the length of the subject.
  public func shard(of subject: String) -> Shard { shards[owners[Self.slot(of: subject)]] }

  /// Returns the shard of a slot.
  ///
  /// - Parameter slot: The slot, in `0 ..< 1024`.
  /// - Returns: The shard, or nil if the slot is out of range.
  public func shard(ofSlot slot: Int) -> Shard? {
    owners.indices.contains(slot) ? shards[owners[slot]] : nil
  }

  /// Returns the shard with the given name, or nil if there is none.
  public func shard(named name: String) -> Shard? { shards.first { $0.name == name } }

  /// Returns the slots of a shard in ascending order, or an empty array if there is no such shard.
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

  /// Returns the next version of the map, in which a shard has another primary.
  ///
  /// - Parameters:
  ///   - address: The address of the promoted copy.
  ///   - name: The name of the shard.
  /// - Returns: The map to distribute to all processes.
  /// - Throws: ``ShardMapError/unknownShard(_:)``, ``ShardMapError/emptyAddress(shard:)``, and
  ///   ``ShardMapError/invalidVersion(_:)`` if the version number would overflow.
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

  /// Returns whether both maps assign all data to the same stores: each slot belongs to a shard of
  /// the same name, and no shard has another store.
  public func isCompatible(with other: ShardMap) -> Bool {
    do {
      try checkCompatible(with: other)
      return true
    } catch {
      return false
    }
  }

  /// Throws an error that describes the incompatibility, if ``isCompatible(with:)`` is false.
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
