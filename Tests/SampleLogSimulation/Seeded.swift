/// A seeded generator, so that a failing case can be run again.
package struct Seeded: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// Creates a generator.
  ///
  /// Its sequence is that of the preceding seed without the first number.
  ///
  /// To use several seeds together, use the other initialisers, which yield independent sequences.
  package init(_ seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 1 }

  /// Creates a standard SplitMix64 generator from a state.
  package init(state: UInt64) { self.state = state }

  /// Creates an independent generator for each list of numbers.
  package init(mixing parts: UInt64...) {
    state = parts.reduce(0) { mixed($0 ^ $1 &+ 0x9E37_79B9_7F4A_7C15) }
  }

  package mutating func next() -> UInt64 {
    state = state &+ 0x9E37_79B9_7F4A_7C15
    return mixed(state)
  }

  /// Returns a number in `0 ..< limit`.
  package mutating func below(_ limit: Int) -> Int {
    limit <= 1 ? 0 : Int(next() >> 1) % limit
  }

  /// Returns true with a probability of 1 / `cases`.
  package mutating func oneIn(_ cases: Int) -> Bool { below(cases) == 0 }

  /// Returns a number in `0 ..< limit`, drawn by the standard library.
  ///
  /// Histories and torture runs use this method, so that their seeds remain valid.
  package mutating func drawn(below limit: Int) -> Int { Int.random(in: 0..<limit, using: &self) }

  /// Returns true with a probability of 1 / `times`, drawn by the standard library.
  package mutating func once(in times: Int) -> Bool { drawn(below: times) == 0 }
}

/// Mixes the bits of a word.
package func mixed(_ bits: UInt64) -> UInt64 {
  var word = bits
  word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
  word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
  return word ^ (word >> 31)
}

/// Returns a hash of bytes that is stable across processes.
package func stableHash(_ bytes: [UInt8], _ seed: UInt64 = 0) -> UInt64 {
  bytes.withUnsafeBytes { buffer in
    var hash = seed &+ UInt64(buffer.count) &* 0x9E37_79B9_7F4A_7C15
    var offset = 0
    while offset + 8 <= buffer.count {
      let word = buffer.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      hash = (hash ^ word) &* 0x9FB2_1C65_1E98_DF25
      hash ^= hash >> 35
      offset += 8
    }
    var rest: UInt64 = 0
    while offset < buffer.count {
      rest = rest << 8 | UInt64(buffer[offset])
      offset += 1
    }
    return mixed(hash ^ rest)
  }
}
