/// The SplitMix64 generator: one addition and one mix per number.
package struct SplitMix {
  private var state: UInt64

  package init(seed: UInt64) {
    state = seed
  }

  @inline(__always)
  package mutating func next() -> UInt64 {
    defer { state &+= 0x9E37_79B9_7F4A_7C15 }
    return Self.mix(state)
  }

  /// A bijective hash of a number.
  @inline(__always)
  static func mix(_ number: UInt64) -> UInt64 {
    var bits = number &+ 0x9E37_79B9_7F4A_7C15
    bits = (bits ^ bits >> 30) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ bits >> 27) &* 0x94D0_49BB_1331_11EB
    return bits ^ bits >> 31
  }
}
