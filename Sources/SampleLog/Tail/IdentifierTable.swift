/// A hash table from identifiers to rows of the tail, eight bytes a slot.
///
/// A slot holds the upper 32 bits of the hash and the row's number plus one, 0 meaning empty; its
/// place follows from those bits, so the table can grow without looking at rows. The caller
/// compares the identifiers themselves.
struct IdentifierTable {
  private var slots = [UInt64](repeating: 0, count: 1024)
  private var count = 0
  /// For a row whose slot was another's before, that other row.
  ///
  /// A sample saved and deleted again and again would else fill a run of slots that each look-up
  /// walks through.
  private var earlier: [Int: Int] = [:]

  /// Adds a row under an identifier's hash; several rows may share one.
  mutating func insert(_ hash: UInt64, row: Int) {
    if count * 5 >= slots.count * 3 { grow() }
    let slot = hash & 0xFFFF_FFFF_0000_0000 | UInt64(row + 1)
    let mask = slots.count - 1
    var place = Int(slot >> 32) & mask
    while slots[place] != 0 {
      if (slots[place] ^ slot) >> 32 == 0 {
        earlier[row] = Int(slots[place] & 0xFFFF_FFFF) - 1
        slots[place] = slot
        return
      }
      place = (place + 1) & mask
    }
    slots[place] = slot
    count += 1
  }

  /// Returns the newest row under a hash that satisfies a condition.
  @inline(__always)
  func first(_ hash: UInt64, where isMatch: (Int) -> Bool) -> Int? {
    let mask = slots.count - 1
    let tag = hash & 0xFFFF_FFFF_0000_0000
    return slots.withUnsafeBufferPointer { slots in
      var place = Int(hash >> 32) & mask
      while true {
        let slot = slots[place]
        if slot == 0 { return nil }
        if slot & 0xFFFF_FFFF_0000_0000 == tag {
          var row = Int(slot & 0xFFFF_FFFF) - 1
          while true {
            if isMatch(row) { return row }
            guard !earlier.isEmpty, let before = earlier[row] else { return nil }
            row = before
          }
        }
        place = (place + 1) & mask
      }
    }
  }

  @inline(__always)
  private static func place(_ slot: UInt64, in slots: inout [UInt64]) {
    let mask = slots.count - 1
    var place = Int(slot >> 32) & mask
    while slots[place] != 0 { place = (place + 1) & mask }
    slots[place] = slot
  }

  private mutating func grow() {
    var larger = [UInt64](repeating: 0, count: slots.count * 2)
    for slot in slots where slot != 0 { Self.place(slot, in: &larger) }
    slots = larger
  }
}
