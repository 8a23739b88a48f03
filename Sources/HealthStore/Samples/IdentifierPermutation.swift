/// A secret one-to-one mapping of the numbers below 2⁶².
///
/// A Feistel network of eight rounds over two halves of 31 bits, each round mixing with
/// SipHash-1-3 under the key. It is one-to-one by construction, so different numbers never meet,
/// and without the key what follows a known result cannot be told.
struct IdentifierPermutation {
  private let key: (UInt64, UInt64)
  private static let half: UInt64 = (1 << 31) - 1

  init(key: (UInt64, UInt64)) { self.key = key }

  /// Maps a number below 2⁶².
  func callAsFunction(_ number: UInt64) -> UInt64 {
    var left = number >> 31 & Self.half
    var right = number & Self.half
    for round in 0..<8 as Range<UInt64> {
      (left, right) = (right, left ^ mix(right | round << 32) & Self.half)
    }
    return left << 31 | right
  }

  /// SipHash-1-3 of one word.
  private func mix(_ word: UInt64) -> UInt64 {
    var v0 = key.0 ^ 0x736F_6D65_7073_6575
    var v1 = key.1 ^ 0x646F_7261_6E64_6F6D
    var v2 = key.0 ^ 0x6C79_6765_6E65_7261
    var v3 = key.1 ^ 0x7465_6462_7974_6573
    func rotate(_ word: UInt64, _ count: UInt64) -> UInt64 {
      word << count | word >> (64 - count)
    }
    func round() {
      v0 = v0 &+ v1
      v1 = rotate(v1, 13) ^ v0
      v0 = rotate(v0, 32)
      v2 = v2 &+ v3
      v3 = rotate(v3, 16) ^ v2
      v0 = v0 &+ v3
      v3 = rotate(v3, 21) ^ v0
      v2 = v2 &+ v1
      v1 = rotate(v1, 17) ^ v2
      v2 = rotate(v2, 32)
    }
    v3 ^= word
    round()
    v0 ^= word
    // The length of the message, eight bytes, closes it.
    v3 ^= 8 << 56
    round()
    v0 ^= 8 << 56
    v2 ^= 0xFF
    round()
    round()
    round()
    return v0 ^ v1 ^ v2 ^ v3
  }
}
