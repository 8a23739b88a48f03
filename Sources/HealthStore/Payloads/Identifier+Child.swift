package import SampleLog

extension Identifier {
  /// Derives the identifier of a child row from its parent's identifier, its type and its number.
  ///
  /// A child can therefore be looked up by its parent, and importing it twice is idempotent.
  ///
  /// The result is a UUID of version 8, the version for custom formats.
  package init(childOf parent: Identifier, type: String, number: UInt64) {
    var (left, right) = (parent.high, parent.low)
    for word in [number] + type.utf8.map(UInt64.init) {
      left = Self.mix(left ^ word)
      right = Self.mix(right ^ left)
      left ^= right
    }
    self.init(
      high: left & ~0xF000 | 0x8000, low: right & ~(0b11 << 62) | 0b10 << 62)
  }

  /// Applies the finaliser of SplitMix64: a permutation in which every output bit depends on every
  /// input bit.
  private static func mix(_ word: UInt64) -> UInt64 {
    var word = word &+ 0x9E37_79B9_7F4A_7C15
    word = (word ^ word >> 30) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ word >> 27) &* 0x94D0_49BB_1331_11EB
    return word ^ word >> 31
  }
}
