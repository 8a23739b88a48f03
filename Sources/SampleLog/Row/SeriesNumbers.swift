/// A hash table from the series of a memtable or segment to their numbers; takes 21 to 43 bytes per
/// series.
///
/// The hash needs no secret key: symbols are assigned in order of first use, so a client cannot
/// choose series that collide.
struct SeriesNumbers {
  private struct Slot {
    var key: UInt64
    /// The number plus one; 0 marks an empty slot.
    var number: Int
  }

  private var slots = [Slot](repeating: Slot(key: 0, number: 0), count: 64)
  private(set) var count = 0

  private static func bits(_ key: SeriesKey) -> UInt64 {
    UInt64(key.subject) << 32 | UInt64(key.type)
  }

  /// Returns the slot of a series, or the empty slot for it.
  @inline(__always)
  private func slot(_ bits: UInt64) -> Int {
    slots.withUnsafeBufferPointer { Self.slot(bits, $0) }
  }

  @inline(__always)
  private static func slot(_ bits: UInt64, _ slots: UnsafeBufferPointer<Slot>) -> Int {
    let mask = slots.count - 1
    var index = Int(truncatingIfNeeded: (bits &* 0x9E37_79B9_7F4A_7C15) >> 32) & mask
    while slots[index].number != 0, slots[index].key != bits { index = (index &+ 1) & mask }
    return index
  }

  /// Returns the number of a series, or nil if it has none.
  subscript(key: SeriesKey) -> Int? {
    let number = slots[slot(Self.bits(key))].number
    return number == 0 ? nil : number - 1
  }

  /// Writes the number of the series of each row, starting at a row and up to the first of a new
  /// series.
  ///
  /// - Returns: The index of the first row whose series has no number, or the number of rows if
  ///   all series have one.
  func number(
    _ subjects: [Symbol], _ types: [Symbol], from first: Int,
    into numbers: UnsafeMutableBufferPointer<UInt32>
  ) -> Int {
    subjects.withUnsafeBufferPointer { subjects in
      types.withUnsafeBufferPointer { types in
        slots.withUnsafeBufferPointer { slots in
          for row in first..<numbers.count {
            let bits = Self.bits(SeriesKey(subject: subjects[row], type: types[row]))
            let number = slots[Self.slot(bits, slots)].number
            if number == 0 { return row }
            numbers[row] = UInt32(truncatingIfNeeded: number - 1)
          }
          return numbers.count
        }
      }
    }
  }

  /// Returns the number of a series, and assigns `number` to a new one.
  @inline(__always)
  mutating func number(of key: SeriesKey, orNew number: Int) -> Int {
    let bits = Self.bits(key)
    let index = slot(bits)
    if slots[index].number != 0 { return slots[index].number - 1 }
    slots[index] = Slot(key: bits, number: number + 1)
    count += 1
    if count * 4 > slots.count * 3 { grow() }
    return number
  }

  private mutating func grow() {
    let old = slots
    slots = Array(repeating: Slot(key: 0, number: 0), count: old.count * 2)
    for one in old where one.number != 0 { slots[slot(one.key)] = one }
  }
}
