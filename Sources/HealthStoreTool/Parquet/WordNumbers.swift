/// Numbers the distinct words of a column in order of first use.
enum WordNumbers {
  /// Returns the distinct words and, for each value, the number of its word.
  ///
  /// Returns nil if there are more than `most` distinct words.
  static func number<Value>(
    _ values: [Value], map: (Value) -> UInt64, most: Int
  ) -> (distinct: [UInt64], numbers: [UInt32])? {
    // An open-addressing hash table that is at most half full, so that searches are short.
    let bits = max(4, (most * 2).significantBits)
    let mask = 1 << bits - 1
    var slots = [UInt32](repeating: 0, count: 1 << bits)
    var distinct: [UInt64] = []
    var numbers: [UInt32] = []
    numbers.reserveCapacity(values.count)
    for value in values {
      let word = map(value)
      // Multiplicative hashing: the high bits of the product depend on all bits of the word.
      let hash = (word ^ word >> 32) &* 0x9E37_79B9_7F4A_7C15
      var slot = Int(truncatingIfNeeded: hash >> UInt64(64 - bits))
      while slots[slot] != 0, distinct[Int(slots[slot]) - 1] != word { slot = (slot + 1) & mask }
      if slots[slot] == 0 {
        if distinct.count >= most { return nil }
        distinct.append(word)
        slots[slot] = UInt32(distinct.count)
      }
      numbers.append(slots[slot] - 1)
    }
    return (distinct, numbers)
  }
}
