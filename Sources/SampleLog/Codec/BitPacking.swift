/// Unsigned numbers of equal width, one after another, lowest bit first.
///
/// Widths are 0...57 or 64, so that any number can be had with one 64-bit load and one shift.
package enum BitPacking {
  /// Returns the width that holds numbers up to a maximum.
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

  /// Writes `byteCount(count, width:)` bytes, and up to 7 zero bytes behind them.
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
        // What did not fit; a shift by the full width is none.
        pending = bits == 0 ? 0 : value &>> UInt64(truncatingIfNeeded: width &- bits)
      }
    }
    if bits > 0 { next.storeBytes(of: pending.littleEndian, as: UInt64.self) }
  }

  /// Returns one number; 8 bytes behind the packed ones must be readable.
  @inline(__always)
  package static func load(_ bytes: UnsafeRawPointer, _ index: Int, width: Int) -> UInt64 {
    if width == 64 { return bytes.loadUnaligned(fromByteOffset: index &* 8, as: UInt64.self) }
    let bit = index &* width
    let word = bytes.loadUnaligned(fromByteOffset: bit &>> 3, as: UInt64.self)
    return (word &>> UInt64(truncatingIfNeeded: bit & 7)) & mask(width)
  }

  /// Unpacks numbers and adds a base to each; 8 bytes behind the packed ones must be readable.
  package static func unpack(
    _ bytes: UnsafeRawPointer, count: Int, width: Int, base: Int64,
    into out: UnsafeMutablePointer<Int64>
  ) {
    if width == 0 {
      out.update(repeating: base, count: count)
      return
    }
    if width == 64 {
      for index in 0..<count {
        out[index] =
          base &+ bytes.loadUnaligned(fromByteOffset: index &* 8, as: Int64.self)
      }
      return
    }
    let mask = mask(width)
    var bit = 0
    var index = 0
    while index &+ 4 <= count {
      let a = bytes.loadUnaligned(fromByteOffset: bit &>> 3, as: UInt64.self)
      let bitB = bit &+ width
      let b = bytes.loadUnaligned(fromByteOffset: bitB &>> 3, as: UInt64.self)
      let bitC = bitB &+ width
      let c = bytes.loadUnaligned(fromByteOffset: bitC &>> 3, as: UInt64.self)
      let bitD = bitC &+ width
      let d = bytes.loadUnaligned(fromByteOffset: bitD &>> 3, as: UInt64.self)
      out[index] = base &+ Int64(bitPattern: (a &>> UInt64(bitPattern: Int64(bit & 7))) & mask)
      out[index &+ 1] =
        base &+ Int64(bitPattern: (b &>> UInt64(bitPattern: Int64(bitB & 7))) & mask)
      out[index &+ 2] =
        base &+ Int64(bitPattern: (c &>> UInt64(bitPattern: Int64(bitC & 7))) & mask)
      out[index &+ 3] =
        base &+ Int64(bitPattern: (d &>> UInt64(bitPattern: Int64(bitD & 7))) & mask)
      bit = bitD &+ width
      index &+= 4
    }
    while index < count {
      let word = bytes.loadUnaligned(fromByteOffset: bit &>> 3, as: UInt64.self)
      out[index] = base &+ Int64(bitPattern: (word &>> UInt64(bitPattern: Int64(bit & 7))) & mask)
      bit &+= width
      index &+= 1
    }
  }

  /// Unpacks differences into the running sum that starts with `first`: `count + 1` numbers.
  package static func unpackSums(
    _ bytes: UnsafeRawPointer, count: Int, width: Int, base: Int64, first: Int64,
    into out: UnsafeMutablePointer<Int64>
  ) {
    out[0] = first
    var sum = first
    if width == 64 || width == 0 {
      for index in 0..<count {
        sum &+= base &+ Int64(bitPattern: load(bytes, index, width: width))
        out[index &+ 1] = sum
      }
      return
    }
    let mask = mask(width)
    var bit = 0
    for index in 0..<count {
      let word = bytes.loadUnaligned(fromByteOffset: bit &>> 3, as: UInt64.self)
      sum &+= base &+ Int64(bitPattern: (word &>> UInt64(bitPattern: Int64(bit & 7))) & mask)
      out[index &+ 1] = sum
      bit &+= width
    }
  }
}
