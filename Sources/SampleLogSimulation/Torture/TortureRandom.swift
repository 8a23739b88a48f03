/// A small seeded generator, so that a run can be started again with the same decisions.
package struct TortureRandom: RandomNumberGenerator, Sendable {
  private var state: UInt64

  package init(_ seed: UInt64...) {
    state = 0
    for part in seed { state = Self.mix(state ^ part &+ 0x9E37_79B9_7F4A_7C15) }
  }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    return Self.mix(state)
  }

  /// Whether something happens that does so once in a number of times.
  package mutating func once(in times: Int) -> Bool {
    Int.random(in: 0..<times, using: &self) == 0
  }

  package static func mix(_ word: UInt64) -> UInt64 {
    var word = word
    word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
    return word ^ (word >> 31)
  }
}
