/// A sequence of identifiers, derived from numbers by a secret permutation.
///
/// The identifiers are version 4 UUIDs. All identifiers of a stream share the high half, which has
/// 60 random bits. The low half is the number, below 2⁶², enciphered by a six-round Feistel network
/// over two halves of 31 bits; each round mixes with HalfSipHash-1-3 under its own key. The network
/// is a bijection, so different numbers never collide. Without the key, known identifiers do not
/// reveal others. With the key, identifiers can be converted back to numbers, so files store only
/// the numbers.
@usableFromInline package struct IdentifierStream: Hashable, Sendable {
  /// The high half of all identifiers.
  package let high: UInt64
  package let key: Identifier
  /// Two words of each round's key, stored inline so that single reads do not follow a pointer.
  private let rounds: SIMD16<UInt32>

  /// The exclusive upper bound of the numbers.
  package static let limit: UInt64 = 1 << 62
  /// The number of identifiers that are computed together.
  package static let lanes = 8
  private typealias Lanes = SIMD8<UInt32>
  private static let half: UInt32 = 1 << 31 - 1
  private static let roundCount = 6

  /// Creates a stream with a high half, in which the UUID version is set, and a 128-bit key.
  package init(high: UInt64, key: Identifier) {
    self.high = high & ~0xF000 | 0x4000
    self.key = key
    var rounds = SIMD16<UInt32>()
    for round in 0..<Self.roundCount {
      let word = sipHash(UInt64(round), key: key)
      rounds[round * 2] = UInt32(truncatingIfNeeded: word)
      rounds[round * 2 + 1] = UInt32(truncatingIfNeeded: word >> 32)
    }
    self.rounds = rounds
  }

  @usableFromInline package static func == (left: IdentifierStream, right: IdentifierStream) -> Bool
  {
    left.high == right.high && left.key == right.key
  }

  @usableFromInline package func hash(into hasher: inout Hasher) {
    hasher.combine(high)
    hasher.combine(key)
  }

  /// Returns whether an identifier belongs to the stream, judged by its high half and variant bits.
  @inline(__always)
  package func contains(_ id: Identifier) -> Bool { id.high == high && id.low >> 62 == 2 }

  /// Returns the identifier of a number, which must be less than ``limit``.
  package func identifier(_ number: UInt64) -> Identifier {
    var (left, right) = Self.halves(number)
    encipher(&left, &right)
    return Identifier(high: high, low: UInt64(left) << 31 | UInt64(right) | 1 << 63)
  }

  /// Returns the number of an identifier of the stream.
  package func number(of id: Identifier) -> UInt64 {
    var (left, right) = Self.halves(id.low)
    decipher(&left, &right)
    return UInt64(left) << 31 | UInt64(right)
  }

  /// Replaces numbers with the low halves of their identifiers.
  package func encipher(_ words: UnsafeMutablePointer<UInt64>, count: Int) {
    forEachGroup(words, count, mark: 1 << 63) { encipher(&$0, &$1) }
  }

  /// Replaces low halves of the stream's identifiers with their numbers.
  package func decipher(_ words: UnsafeMutablePointer<UInt64>, count: Int) {
    forEachGroup(words, count, mark: 0) { decipher(&$0, &$1) }
  }

  /// Splits words into halves, eight words at a time, and recombines them with a mark above bit 61.
  @inline(__always)
  private func forEachGroup(
    _ words: UnsafeMutablePointer<UInt64>, _ count: Int, mark: UInt64,
    _ body: (inout Lanes, inout Lanes) -> Void
  ) {
    var begin = 0
    while begin < count {
      let used = min(Self.lanes, count &- begin)
      var left = Lanes()
      var right = Lanes()
      for lane in 0..<used { (left[lane], right[lane]) = Self.halves(words[begin &+ lane]) }
      body(&left, &right)
      for lane in 0..<used {
        words[begin &+ lane] = UInt64(left[lane]) << 31 | UInt64(right[lane]) | mark
      }
      begin &+= Self.lanes
    }
  }

  @inline(__always)
  private static func halves(_ word: UInt64) -> (left: UInt32, right: UInt32) {
    (UInt32(truncatingIfNeeded: word >> 31) & half, UInt32(truncatingIfNeeded: word) & half)
  }

  @inline(__always)
  private func encipher<Word: HashWord>(_ left: inout Word, _ right: inout Word) {
    for round in 0..<Self.roundCount {
      let mixed = left ^ mix(right, round) & Word(repeating: Self.half)
      left = right
      right = mixed
    }
  }

  @inline(__always)
  private func decipher<Word: HashWord>(_ left: inout Word, _ right: inout Word) {
    for round in (0..<Self.roundCount).reversed() {
      let mixed = right ^ mix(left, round) & Word(repeating: Self.half)
      right = left
      left = mixed
    }
  }

  /// Computes HalfSipHash-1-3 of one four-byte word in each lane.
  @inline(__always)
  private func mix<Word: HashWord>(_ word: Word, _ number: Int) -> Word {
    let (first, second) = (rounds[number &* 2], rounds[number &* 2 &+ 1])
    var v0 = Word(repeating: first)
    var v1 = Word(repeating: second)
    var v2 = Word(repeating: 0x6C79_6765 ^ first)
    var v3 = Word(repeating: 0x7465_6462 ^ second)
    @inline(__always)
    func round() {
      v0 = v0 &+ v1
      v1 = v1.rotated(5) ^ v0
      v0 = v0.rotated(16)
      v2 = v2 &+ v3
      v3 = v3.rotated(8) ^ v2
      v0 = v0 &+ v3
      v3 = v3.rotated(7) ^ v0
      v2 = v2 &+ v1
      v1 = v1.rotated(13) ^ v2
      v2 = v2.rotated(16)
    }
    // The message length, four bytes, finalises the hash.
    let end = Word(repeating: 4 << 24)
    v3 = v3 ^ word
    round()
    v0 = v0 ^ word
    v3 = v3 ^ end
    round()
    v0 = v0 ^ end
    v2 = v2 ^ Word(repeating: 0xFF)
    round()
    round()
    round()
    return v1 ^ v3
  }
}

/// A word of HalfSipHash, or one for each lane.
private protocol HashWord {
  init(repeating: UInt32)
  static func &+ (left: Self, right: Self) -> Self
  static func ^ (left: Self, right: Self) -> Self
  static func & (left: Self, right: Self) -> Self
  /// Returns the words rotated left.
  func rotated(_ count: UInt32) -> Self
}

extension UInt32: HashWord {
  fileprivate init(repeating word: UInt32) { self = word }

  @inline(__always)
  fileprivate func rotated(_ count: UInt32) -> UInt32 { self &<< count | self &>> (32 &- count) }
}

extension SIMD8<UInt32>: HashWord {
  // LLVM would rotate two shifts lane by lane, but multiplies by a power of two with a shift.
  @inline(__always)
  fileprivate func rotated(_ count: UInt32) -> Self {
    self &* Self(repeating: 1 &<< count) | self &>> Self(repeating: 32 &- count)
  }
}

/// Computes SipHash-1-3 of one word.
private func sipHash(_ word: UInt64, key: Identifier) -> UInt64 {
  var v0 = key.high ^ 0x736F_6D65_7073_6575
  var v1 = key.low ^ 0x646F_7261_6E64_6F6D
  var v2 = key.high ^ 0x6C79_6765_6E65_7261
  var v3 = key.low ^ 0x7465_6462_7974_6573
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
  v3 ^= 8 << 56
  round()
  v0 ^= 8 << 56
  v2 ^= 0xFF
  round()
  round()
  round()
  return v0 ^ v1 ^ v2 ^ v3
}
