extension BitPacking {
  /// Unpacks numbers of 1 to 8 bits, starting at an index, and adds a base to each with
  /// wrap-around.
  ///
  /// The 8 bytes after the packed ones must be readable.
  static func unpack(
    _ bytes: UnsafeRawPointer, from first: Int, width: Int, base: UInt8,
    into out: UnsafeMutableBufferPointer<UInt8>
  ) {
    guard let start = out.baseAddress else { return }
    let target = UnsafeMutableRawPointer(start)
    let spread = (Spread(width, 4), Spread(width, 2), Spread(width, 1))
    let bit = first &* width
    let phase = UInt64(truncatingIfNeeded: bit & 7)
    var next = bytes + bit &>> 3
    let even = out.count & ~15
    for offset in stride(from: 0, to: even, by: 16) {
      // Eight numbers of `width` bits take `width` bytes, so both words start at the same bit
      // offset.
      let words = SIMD2(
        next.loadUnaligned(as: UInt64.self) &>> phase,
        next.loadUnaligned(fromByteOffset: width, as: UInt64.self) &>> phase)
      next += 2 &* width
      let numbers = unsafeBitCast(spread.2(spread.1(spread.0(words))), to: SIMD16<UInt8>.self)
      target.storeBytes(
        of: numbers &+ SIMD16(repeating: base), toByteOffset: offset, as: SIMD16<UInt8>.self)
    }
    for index in even..<out.count {
      out[index] =
        base &+ UInt8(truncatingIfNeeded: load(bytes, first &+ index, width: width))
    }
  }

  /// A step that spreads packed numbers into bytes: moves the upper half of the numbers in each
  /// part of a word to the upper half of that part.
  private struct Spread {
    private let shift: SIMD2<UInt64>
    private let low: SIMD2<UInt64>
    private let high: SIMD2<UInt64>

    /// - Parameters:
    ///   - width: The width of a number in bits.
    ///   - count: The number of numbers in each half, which is also the size of a half in bytes.
    @inline(__always)
    init(_ width: Int, _ count: Int) {
      var mask: UInt64 = 0
      for part in stride(from: 0, to: 64, by: count &* 16) {
        mask |= BitPacking.mask(width &* count) &<< UInt64(truncatingIfNeeded: part)
      }
      low = SIMD2(repeating: mask)
      high = SIMD2(repeating: mask &<< UInt64(truncatingIfNeeded: count &* 8))
      shift = SIMD2(repeating: UInt64(truncatingIfNeeded: (8 &- width) &* count))
    }

    @inline(__always)
    func callAsFunction(_ words: SIMD2<UInt64>) -> SIMD2<UInt64> {
      (words & low) | ((words &<< shift) & high)
    }
  }
}
