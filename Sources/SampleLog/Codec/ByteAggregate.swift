/// The minimum, maximum and sum of numbers within 256 of their minimum, given as byte offsets from
/// it.
///
/// Processes sixteen numbers at a time. Running sums of differences are computed in bytes with
/// wrap-around, which is exact because the results lie within a range of 256.
struct ByteAggregate {
  private(set) var least: UInt8 = .max
  private(set) var greatest: UInt8 = 0
  private(set) var sum: UInt64 = 0

  mutating func add(_ byte: UInt8) {
    least = min(least, byte)
    greatest = max(greatest, byte)
    sum &+= UInt64(byte)
  }

  /// Adds numbers given as bytes.
  mutating func add(_ bytes: UnsafeBufferPointer<UInt8>) {
    var last: UInt64?
    add(bytes, after: &last)
  }

  /// Adds the running sums of differences that start from a number.
  mutating func add(_ differences: UnsafeBufferPointer<UInt8>, to number: UInt8) {
    var last: UInt64? = UInt64(number)
    add(differences, after: &last)
  }

  /// Adds the numbers within bounds and returns their count.
  mutating func add(_ bytes: UnsafeBufferPointer<UInt8>, within bounds: ClosedRange<UInt8>) -> Int {
    let raw = UnsafeRawBufferPointer(bytes)
    let lower = SIMD16(repeating: bounds.lowerBound)
    let upper = SIMD16(repeating: bounds.upperBound)
    var found = 0
    for offset in stride(from: 0, to: bytes.count & ~15, by: 16) {
      let sixteen = raw.loadUnaligned(fromByteOffset: offset, as: SIMD16<UInt8>.self)
      let isWithin = (sixteen .>= lower) .& (sixteen .<= upper)
      // Usually no number is within bounds.
      let marks = SIMD16<UInt8>.zero.replacing(with: 1, where: isWithin)
      let halves = unsafeBitCast(marks, to: SIMD2<UInt64>.self)
      if halves[0] | halves[1] == 0 { continue }
      for byte in bytes[offset..<offset + 16] where bounds.contains(byte) {
        add(byte)
        found += 1
      }
    }
    for byte in bytes[(bytes.count & ~15)...] where bounds.contains(byte) {
      add(byte)
      found += 1
    }
    return found
  }

  @inline(__always)
  private mutating func add(_ bytes: UnsafeBufferPointer<UInt8>, after last: inout UInt64?) {
    var rest = bytes[...]
    while rest.count >= 16 {
      // At most 2048 bytes at a time, so that the sums of pairs stay below 2¹⁶.
      let part = rest.prefix(min(rest.count & ~15, 2048))
      addSixteens(UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: part)), after: &last)
      rest = rest.dropFirst(part.count)
    }
    for byte in rest {
      guard let before = last else {
        add(byte)
        continue
      }
      let number = UInt8(truncatingIfNeeded: before) &+ byte
      last = UInt64(number)
      add(number)
    }
  }

  @inline(__always)
  private mutating func addSixteens(_ raw: UnsafeRawBufferPointer, after last: inout UInt64?) {
    var least = SIMD16<UInt8>(repeating: .max)
    var greatest = SIMD16<UInt8>.zero
    var pairs = SIMD8<UInt16>.zero
    for offset in stride(from: 0, to: raw.count, by: 16) {
      var bytes = raw.loadUnaligned(fromByteOffset: offset, as: SIMD16<UInt8>.self)
      if let before = last {
        bytes = Self.summed(bytes, by: 8)
        bytes = Self.summed(bytes, by: 16)
        bytes = Self.summed(bytes, by: 32)
        let halves = unsafeBitCast(bytes, to: SIMD2<UInt64>.self)
        let middle = before &+ halves[0] &>> 56
        let more = SIMD2(before & 0xFF, middle & 0xFF) &* 0x0101_0101_0101_0101
        bytes &+= unsafeBitCast(more, to: SIMD16<UInt8>.self)
        last = middle &+ halves[1] &>> 56
      }
      least.replace(with: bytes, where: bytes .< least)
      greatest.replace(with: bytes, where: bytes .> greatest)
      let two = unsafeBitCast(bytes, to: SIMD8<UInt16>.self)
      pairs &+= (two & 0xFF) &+ two &>> 8
    }
    self.least = min(self.least, least.min())
    self.greatest = max(self.greatest, greatest.max())
    for lane in pairs.indices { sum &+= UInt64(pairs[lane]) }
  }

  /// Adds to each byte the byte that is `bits` bits before it in the same half.
  @inline(__always)
  private static func summed(_ bytes: SIMD16<UInt8>, by bits: UInt64) -> SIMD16<UInt8> {
    let halves = unsafeBitCast(bytes, to: SIMD2<UInt64>.self) &<< SIMD2(repeating: bits)
    return bytes &+ unsafeBitCast(halves, to: SIMD16<UInt8>.self)
  }
}
