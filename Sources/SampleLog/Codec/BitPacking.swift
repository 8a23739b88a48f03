/// Packed unsigned integers of equal width, least significant bit first.
///
/// Widths are `0...57` and 64, so that one 64-bit load and one shift can extract any number.
package enum BitPacking {
  /// Returns the width for numbers up to a maximum.
  @inline(__always)
  package static func width(for maximum: UInt64) -> Int {
    let bits = 64 - maximum.leadingZeroBitCount
    return bits > 57 ? 64 : bits
  }

  package static func isValid(width: Int) -> Bool { (0...57).contains(width) || width == 64 }

  @inline(__always)
  package static func byteCount(_ count: Int, width: Int) -> Int { (count &* width &+ 7) >> 3 }

  @inline(__always)
  package static func mask(_ width: Int) -> UInt64 {
    width == 64 ? .max : (1 << UInt64(width)) &- 1
  }

  /// Packs numbers into `byteCount(_:width:)` bytes.
  ///
  /// May write up to 7 zero bytes after them.
  package static func pack(
    _ values: UnsafePointer<UInt64>, count: Int, width: Int, into out: UnsafeMutableRawPointer
  ) {
    if width == 0 { return }
    if width == 64 {
      out.copyMemory(from: values, byteCount: count * 8)
      return
    }
    var pending: UInt64 = 0
    var bits = 0
    var next = out
    for index in 0..<count {
      let value = values[index]
      pending |= value &<< UInt64(truncatingIfNeeded: bits)
      bits &+= width
      if bits >= 64 {
        next.storeBytes(of: pending.littleEndian, as: UInt64.self)
        next += 8
        bits &-= 64
        // The bits that did not fit. The shift amount would be the full width if no bits remain,
        // hence the check.
        pending = bits == 0 ? 0 : value &>> UInt64(truncatingIfNeeded: width &- bits)
      }
    }
    if bits > 0 { next.storeBytes(of: pending.littleEndian, as: UInt64.self) }
  }

  /// Returns one number.
  ///
  /// The 8 bytes after the packed ones must be readable.
  @inline(__always)
  package static func load(_ bytes: UnsafeRawPointer, _ index: Int, width: Int) -> UInt64 {
    if width == 64 { return bytes.loadUnaligned(fromByteOffset: index &* 8, as: UInt64.self) }
    let bit = index &* width
    let word = bytes.loadUnaligned(fromByteOffset: bit &>> 3, as: UInt64.self)
    return (word &>> UInt64(truncatingIfNeeded: bit & 7)) & mask(width)
  }

  /// Unpacks numbers, starting at an index, and adds a base to each.
  ///
  /// The 8 bytes after the packed ones must be readable.
  package static func unpack(
    _ bytes: UnsafeRawPointer, from first: Int = 0, count: Int, width: Int, base: Int64,
    into out: UnsafeMutablePointer<Int64>
  ) {
    if width == 0 {
      out.update(repeating: base, count: count)
      return
    }
    forEach(bytes, from: first, count: count, width: width) { out[$0] = base &+ $1 }
  }

  /// Unpacks differences, starting at an index, into a running sum that starts with `sum`.
  ///
  /// Writes `count + 1` numbers.
  package static func unpackSums(
    _ bytes: UnsafeRawPointer, from first: Int = 0, count: Int, width: Int, base: Int64,
    sum: Int64, into out: UnsafeMutablePointer<Int64>
  ) {
    out[0] = sum
    var sum = sum
    let out = out + 1
    forEach(bytes, from: first, count: count, width: width) {
      sum &+= base &+ $1
      out[$0] = sum
    }
  }

  /// Calls a closure with each number and its index relative to `first`.
  @inline(__always)
  private static func forEach(
    _ bytes: UnsafeRawPointer, from first: Int, count: Int, width: Int,
    _ body: (Int, Int64) -> Void
  ) {
    // One load yields at least 57 usable bits.
    switch width {
    case ...7: forEach(bytes, from: first, count: count, width: width, each: 8, body)
    case ...14: forEach(bytes, from: first, count: count, width: width, each: 4, body)
    case ...28: forEach(bytes, from: first, count: count, width: width, each: 2, body)
    default:
      for index in 0..<count {
        body(index, Int64(bitPattern: load(bytes, first &+ index, width: width)))
      }
    }
  }

  /// Calls a closure with each number, extracting `each` numbers per load.
  @inline(__always)
  private static func forEach(
    _ bytes: UnsafeRawPointer, from first: Int, count: Int, width: Int, each: Int,
    _ body: (Int, Int64) -> Void
  ) {
    let mask = mask(width)
    let shift = UInt64(truncatingIfNeeded: width)
    let step = width &* each
    var bit = first &* width
    var index = 0
    while index &+ each <= count {
      var word = bytes.loadUnaligned(fromByteOffset: bit &>> 3, as: UInt64.self)
      word &>>= UInt64(truncatingIfNeeded: bit & 7)
      for position in 0..<each {
        body(index &+ position, Int64(bitPattern: word & mask))
        word &>>= shift
      }
      bit &+= step
      index &+= each
    }
    while index < count {
      body(index, Int64(bitPattern: load(bytes, first &+ index, width: width)))
      index &+= 1
    }
  }
}
