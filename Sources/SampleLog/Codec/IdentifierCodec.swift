/// Columns of identifiers with constant-time random access.
///
/// An identifier takes 16 bytes; 15.25 if all are random (version 4) UUIDs; 8.125 if runs share
/// their first half, as identifiers made by one process of this library do.
package enum IdentifierCodec {
  static let raw: UInt8 = 0
  /// Groups of four rows: a byte with two bits of each identifier, then 15 bytes of each.
  static let random: UInt8 = 1
  /// Groups of 64 rows: the shared first half, then the second half of each identifier.
  static let shared: UInt8 = 2
  private static let sharedGroup = 8 + 64 * 8

  /// The size of the header in bytes: the encoding and a 16-bit count.
  package static let headerLength = 3

  package static func byteCount(_ count: Int, encoding: UInt8) -> Int? {
    switch encoding {
    case raw: headerLength + count * 16
    case random: headerLength + count * 15 + (count + 3) / 4
    case shared: headerLength + count * 8 + (count + 63) / 64 * 8
    default: nil
    }
  }

  @inline(__always)
  static func isRandom(_ id: Identifier) -> Bool {
    id.high & 0xF000 == 0x4000 && id.low >> 62 == 2
  }

  /// Returns the number of bytes that the identifiers take in the best encoding.
  static func byteCount(of ids: UnsafePointer<Identifier>, count: Int) -> Int {
    byteCount(count, encoding: encoding(of: ids, count: count)) ?? 0
  }

  private static func encoding(of ids: UnsafePointer<Identifier>, count: Int) -> UInt8 {
    if sharesHalves(ids, count) { return shared }
    for index in 0..<count where !isRandom(ids[index]) { return raw }
    return random
  }

  package static func encode(
    _ ids: UnsafePointer<Identifier>, count: Int, into writer: inout ByteWriter
  ) {
    let encoding = encoding(of: ids, count: count)
    if encoding == shared {
      writer.byte(shared)
      writer.fixed(UInt16(count))
      for row in 0..<count {
        if row & 63 == 0 { writer.fixed(ids[row].high) }
        writer.fixed(ids[row].low)
      }
      return
    }
    writer.byte(encoding)
    writer.fixed(UInt16(count))
    if encoding == raw {
      // An identifier is two little-endian words, as in memory.
      writer.append(UnsafeRawBufferPointer(start: ids, count: count * 16))
      return
    }
    let length = count * 15 + (count + 3) / 4
    let bytes = [UInt8](unsafeUninitializedCapacity: length + 1) { buffer, initialized in
      let base = UnsafeMutableRawPointer(buffer.baseAddress.unsafelyUnwrapped)
      for row in 0..<count {
        let group = base + (row >> 2) * 61
        if row & 3 == 0 { group.storeBytes(of: 0, as: UInt8.self) }
        let (first, second, two) = pack(ids[row])
        let offset = 1 + (row & 3) * 15
        group.storeBytes(of: first, toByteOffset: offset, as: UInt64.self)
        group.storeBytes(
          of: UInt32(truncatingIfNeeded: second), toByteOffset: offset + 8, as: UInt32.self)
        group.storeBytes(
          of: UInt16(truncatingIfNeeded: second >> 32), toByteOffset: offset + 12, as: UInt16.self)
        group.storeBytes(
          of: UInt8(truncatingIfNeeded: second >> 48), toByteOffset: offset + 14, as: UInt8.self)
        let bits = group.load(as: UInt8.self) | two << UInt8((row & 3) * 2)
        group.storeBytes(of: bits, as: UInt8.self)
      }
      initialized = length
    }
    writer.append(bytes)
  }

  private static func sharesHalves(_ ids: UnsafePointer<Identifier>, _ count: Int) -> Bool {
    for row in 0..<count where ids[row].high != ids[row & ~63].high { return false }
    // For a single row, a special encoding saves nothing.
    return count > 1
  }

  /// Splits the 122 random bits into 64, 56 and 2 bits.
  @inline(__always)
  static func pack(_ id: Identifier) -> (UInt64, UInt64, UInt8) {
    let high = (id.high >> 16) << 12 | id.high & 0xFFF
    let low = id.low & 0x3FFF_FFFF_FFFF_FFFF
    return (
      high | low << 60, (low >> 4) & 0xFF_FFFF_FFFF_FFFF, UInt8(truncatingIfNeeded: low >> 60)
    )
  }

  @inline(__always)
  static func unpack(_ first: UInt64, _ second: UInt64, _ two: UInt64) -> Identifier {
    let high = first & 0xFFF_FFFF_FFFF_FFFF
    return Identifier(
      high: (high >> 12) << 16 | 0x4000 | high & 0xFFF,
      low: first >> 60 | second << 4 | two << 60 | 0x8000_0000_0000_0000)
  }

  /// Returns a row's identifier, given the bytes after the header, starting at a group boundary.
  @inline(__always)
  package static func load(_ bytes: UnsafeRawPointer, row: Int, encoding: UInt8) -> Identifier {
    if encoding == raw {
      return Identifier(
        high: bytes.loadUnaligned(fromByteOffset: row &* 16, as: UInt64.self),
        low: bytes.loadUnaligned(fromByteOffset: row &* 16 &+ 8, as: UInt64.self))
    }
    if encoding == shared {
      let group = bytes + (row &>> 6) &* sharedGroup
      return Identifier(
        high: group.loadUnaligned(as: UInt64.self),
        low: group.loadUnaligned(fromByteOffset: 8 &+ (row & 63) &* 8, as: UInt64.self))
    }
    let group = bytes + (row &>> 2) &* 61
    let offset = 1 &+ (row & 3) &* 15
    let first = group.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
    // The load ends with the row, so it starts one byte early.
    let second = group.loadUnaligned(fromByteOffset: offset &+ 7, as: UInt64.self) &>> 8
    let bits = UInt64(group.load(as: UInt8.self)) &>> UInt64(truncatingIfNeeded: (row & 3) &* 2)
    return unpack(first, second, bits & 3)
  }

  /// Returns the byte range of the groups that contain a range of rows, relative to the end of the
  /// header, and the first row of that range.
  package static func window(
    _ rows: Range<Int>, count: Int, encoding: UInt8
  ) -> (Range<Int>, from: Int) {
    if encoding == raw { return (rows.lowerBound * 16..<rows.upperBound * 16, rows.lowerBound) }
    if encoding == shared {
      let group = rows.lowerBound >> 6
      let last = rows.upperBound - 1
      let end = (last >> 6) * sharedGroup + 8 + (last & 63) * 8 + 8
      return (group * sharedGroup..<end, group << 6)
    }
    let group = rows.lowerBound >> 2
    let upper = rows.upperBound
    return (group * 61..<upper * 15 + (upper + 3) / 4, group << 2)
  }

  /// Returns the encoding of a column after validating its length.
  package static func check(
    _ column: UnsafeRawBufferPointer, count: Int
  ) throws(CodecError) -> UInt8 {
    var reader = ByteReader(column)
    guard let encoding = reader.byte(), let written = reader.fixed(UInt16.self),
      Int(written) == count
    else { throw CodecError("wrong count of identifiers") }
    guard let length = byteCount(count, encoding: encoding) else {
      throw CodecError("unknown encoding of identifiers")
    }
    guard column.count == length else { throw CodecError("wrong length of identifiers") }
    return encoding
  }

  package static func decode(
    _ column: UnsafeRawBufferPointer, count: Int, into out: UnsafeMutablePointer<Identifier>
  ) throws(CodecError) {
    let encoding = try check(column, count: count)
    guard let start = column.baseAddress else { throw CodecError("no identifiers") }
    let bytes = start + headerLength
    if encoding == raw {
      UnsafeMutableRawPointer(out).copyMemory(from: bytes, byteCount: count * 16)
      return
    }
    if encoding == shared {
      for row in 0..<count { out[row] = load(bytes, row: row, encoding: shared) }
      return
    }
    var row = 0
    var group = bytes
    while row &+ 4 <= count {
      let bits = UInt64(group.load(as: UInt8.self))
      for lane in 0..<4 {
        let first = group.loadUnaligned(fromByteOffset: lane &* 15 &+ 1, as: UInt64.self)
        let second = group.loadUnaligned(fromByteOffset: lane &* 15 &+ 8, as: UInt64.self) &>> 8
        let two = (bits &>> UInt64(truncatingIfNeeded: lane &* 2)) & 3
        out[row &+ lane] = unpack(first, second, two)
      }
      group += 61
      row &+= 4
    }
    while row < count {
      out[row] = load(bytes, row: row, encoding: encoding)
      row &+= 1
    }
  }

  /// Returns the row of an identifier within a window of rows, or nil.
  package static func find(
    _ id: Identifier, _ bytes: UnsafeRawPointer, rows: Range<Int>, encoding: UInt8
  ) -> Int? {
    if encoding == random {
      guard isRandom(id) else { return nil }
      let first = pack(id).0
      for row in rows {
        let offset = (row &>> 2) &* 61 &+ 1 &+ (row & 3) &* 15
        if bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self) == first,
          load(bytes, row: row, encoding: encoding) == id
        {
          return row
        }
      }
      return nil
    }
    for row in rows where load(bytes, row: row, encoding: encoding) == id { return row }
    return nil
  }
}
