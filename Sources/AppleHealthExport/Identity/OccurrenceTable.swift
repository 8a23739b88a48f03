/// Counts how often each content was seen.
///
/// Holds 8 of the 16 hash bytes of each distinct content: 10 to 22 bytes a record, 33 while it
/// grows, so about 130 MB for the 7.4 million records of a large real export. Two different
/// contents with equal 8 bytes (one chance in 700,000 for such a file) would only make the later
/// one an occurrence 2: the same again at every import, and not lost.
struct OccurrenceTable: Sendable {
  private var slots = [UInt64](repeating: 0, count: 1024)
  private var used = 0
  /// Only contents seen more than once are counted here.
  private var repeats: [UInt64: UInt32] = [:]

  /// Notes one more occurrence.
  ///
  /// - Returns: 1 for the first, 2 for the second, and so on.
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

  /// The number of times that a content was noted.
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
