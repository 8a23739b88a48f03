/// A hash table that counts the occurrences of each content.
///
/// Stores 8 of the 16 hash bytes of each distinct content: 10 to 22 bytes per record, 33 while
/// growing, or about 130 MB for the 7.4 million records of a large real export. If two contents
/// share these 8 bytes (probability 1 in 700,000 for such a file), the later one is counted as a
/// second occurrence. The count is the same at every import, and no sample is lost.
struct OccurrenceTable: Sendable {
  private var slots = [UInt64](repeating: 0, count: 1024)
  private var used = 0
  /// The counts of contents that occurred more than once.
  private var repeats: [UInt64: UInt32] = [:]

  /// Records an occurrence of a content.
  ///
  /// - Returns: The number of the occurrence, starting at 1.
  mutating func count(_ hash: SipHash128.Output) -> UInt32 {
    let fingerprint = hash.low == 0 ? 1 : hash.low
    let slot = slot(of: fingerprint)
    if slots[slot] == fingerprint {
      let count = repeats[fingerprint, default: 1] + 1
      repeats[fingerprint] = count
      return count
    }
    slots[slot] = fingerprint
    used += 1
    if used * 4 > slots.count * 3 { grow() }
    return 1
  }

  /// Returns the number of recorded occurrences of a content.
  func occurrences(of hash: SipHash128.Output) -> UInt32 {
    let fingerprint = hash.low == 0 ? 1 : hash.low
    return slots[slot(of: fingerprint)] == fingerprint ? repeats[fingerprint, default: 1] : 0
  }

  private func slot(of fingerprint: UInt64) -> Int {
    let mask = slots.count - 1
    var slot = Int(truncatingIfNeeded: fingerprint) & mask
    while slots[slot] != 0 && slots[slot] != fingerprint { slot = (slot + 1) & mask }
    return slot
  }

  private mutating func grow() {
    let old = slots
    slots = [UInt64](repeating: 0, count: old.count * 2)
    for fingerprint in old where fingerprint != 0 { slots[slot(of: fingerprint)] = fingerprint }
  }
}
