/// A hash table from identifiers to rows of the memtable, with eight bytes per slot.
///
/// A slot holds the upper 32 bits of the hash and the row number plus one; 0 marks an empty slot.
/// The home slot is computed from those bits, so the table grows without accessing rows. The caller
/// compares the identifiers.
struct IdentifierTable {
  // Written under the memtable's lock; copies of the table are never written.
  private var memory = IdentifierTable.emptySlots(1024)
  private var mask = 1023
  private var count = 0
  /// The previous row of a slot, by the row that replaced it.
  ///
  /// Without it, a sample that is saved and deleted repeatedly would fill a run of slots that every
  /// look-up must scan.
  private var earlier: [Int: Int] = [:]

  private static func emptySlots(_ count: Int) -> RawMemory {
    let memory = RawMemory(count * 8)
    memory.base.initializeMemory(as: UInt64.self, repeating: 0, count: count)
    return memory
  }

  private var slots: UnsafeMutablePointer<UInt64> {
    memory.base.assumingMemoryBound(to: UInt64.self)
  }

  /// Reserves capacity for more rows.
  mutating func reserve(_ rows: Int) {
    var size = mask + 1
    while (count + rows) * 5 >= size * 3 { size *= 4 }
    if size > mask + 1 { grow(to: size) }
  }

  /// Adds a row under an identifier's hash; capacity must be reserved, and rows may share a hash.
  @inline(__always)
  mutating func insert(_ hash: UInt64, row: Int) {
    let slot = hash & 0xFFFF_FFFF_0000_0000 | UInt64(row + 1)
    let slots = slots
    var index = Int(slot >> 32) & mask
    while slots[index] != 0 {
      if (slots[index] ^ slot) >> 32 == 0 {
        earlier[row] = Int(slots[index] & 0xFFFF_FFFF) - 1
        slots[index] = slot
        return
      }
      index = (index &+ 1) & mask
    }
    slots[index] = slot
    count += 1
  }

  /// Prefetches the home slot of a hash.
  @inline(__always)
  func prefetch(_ hash: UInt64) { SampleLog.prefetch(slots + Int(hash >> 32) & mask) }

  /// Returns the newest row with a hash that satisfies a condition.
  @inline(__always)
  func first(_ hash: UInt64, where isMatch: (Int) -> Bool) -> Int? {
    defer { withExtendedLifetime(memory) {} }
    let slots = slots
    let tag = hash & 0xFFFF_FFFF_0000_0000
    var index = Int(hash >> 32) & mask
    while true {
      let slot = slots[index]
      if slot == 0 { return nil }
      if slot & 0xFFFF_FFFF_0000_0000 == tag {
        var row = Int(slot & 0xFFFF_FFFF) - 1
        while true {
          if isMatch(row) { return row }
          guard !earlier.isEmpty, let before = earlier[row] else { return nil }
          row = before
        }
      }
      index = (index &+ 1) & mask
    }
  }

  @inline(__always)
  private static func insert(
    _ slot: UInt64, in slots: UnsafeMutablePointer<UInt64>, _ mask: Int
  ) {
    var index = Int(slot >> 32) & mask
    while slots[index] != 0 { index = (index &+ 1) & mask }
    slots[index] = slot
  }

  private mutating func grow(to size: Int) {
    let old = slots
    let larger = Self.emptySlots(size)
    let target = larger.base.assumingMemoryBound(to: UInt64.self)
    for index in 0...mask where old[index] != 0 {
      Self.insert(old[index], in: target, size - 1)
    }
    memory = larger
    mask = size - 1
  }
}
