/// SipHash-2-4 with its 128-bit output, by Aumasson and Bernstein.
///
/// The function is small and well specified, and has public test vectors. A collision by chance is
/// expected after about 2^64 records; for 10^9 records its probability is below 10^-20.
enum SipHash128 {
  struct Output: Equatable, Hashable, Sendable {
    var low: UInt64
    var high: UInt64
  }

  static func hash(_ bytes: UnsafeRawBufferPointer, key: (UInt64, UInt64)) -> Output {
    var state = State(key)
    var at = 0
    while at + 8 <= bytes.count {
      state.absorb(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: at, as: UInt64.self)))
      at += 8
    }
    var last = UInt64(truncatingIfNeeded: bytes.count) << 56
    for index in at..<bytes.count { last |= UInt64(bytes[index]) << (8 * UInt64(index - at)) }
    state.absorb(last)
    return state.finish()
  }

  private struct State {
    var v0: UInt64
    var v1: UInt64
    var v2: UInt64
    var v3: UInt64

    init(_ key: (UInt64, UInt64)) {
      v0 = 0x736f_6d65_7073_6575 ^ key.0
      v1 = 0x646f_7261_6e64_6f6d ^ key.1 ^ 0xee
      v2 = 0x6c79_6765_6e65_7261 ^ key.0
      v3 = 0x7465_6462_7974_6573 ^ key.1
    }

    mutating func absorb(_ word: UInt64) {
      v3 ^= word
      round()
      round()
      v0 ^= word
    }

    mutating func finish() -> Output {
      v2 ^= 0xee
      for _ in 0..<4 { round() }
      let low = v0 ^ v1 ^ v2 ^ v3
      v1 ^= 0xdd
      for _ in 0..<4 { round() }
      return Output(low: low, high: v0 ^ v1 ^ v2 ^ v3)
    }

    @inline(__always)
    private mutating func round() {
      v0 = v0 &+ v1
      v1 = (v1 << 13 | v1 >> 51) ^ v0
      v0 = v0 << 32 | v0 >> 32
      v2 = v2 &+ v3
      v3 = (v3 << 16 | v3 >> 48) ^ v2
      v0 = v0 &+ v3
      v3 = (v3 << 21 | v3 >> 43) ^ v0
      v2 = v2 &+ v1
      v1 = (v1 << 17 | v1 >> 47) ^ v2
      v2 = v2 << 32 | v2 >> 32
    }
  }
}
