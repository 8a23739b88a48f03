import SampleLog

/// Repairs the checksums of mutated bytes, so that decoders get past them.
enum Repair {
  static func read<T: FixedWidthInteger>(_ bytes: [UInt8], _ offset: Int, as: T.Type) -> T {
    bytes.withUnsafeBytes { T(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: T.self)) }
  }

  static func write<T: FixedWidthInteger>(_ value: T, _ bytes: inout [UInt8], _ offset: Int) {
    bytes.withUnsafeMutableBytes {
      $0.storeBytes(of: value.littleEndian, toByteOffset: offset, as: T.self)
    }
  }

  static func checksum(_ bytes: [UInt8], _ range: Range<Int>) -> UInt32 {
    bytes.withUnsafeBytes { SampleLog.checksum(UnsafeRawBufferPointer(rebasing: $0[range])) }
  }

  static func logHeader(_ bytes: inout [UInt8]) {
    guard bytes.count >= LogHeader.size else { return }
    let end = LogHeader.size - 4
    write(checksum(bytes, 0..<end), &bytes, end)
  }

  /// Repairs the frame at an offset; returns the frame's end if its header states one.
  @discardableResult
  static func frame(_ bytes: inout [UInt8], at offset: Int) -> Int? {
    guard bytes.count - offset >= FrameHeader.size else { return nil }
    let stored = Int(read(bytes, offset + 4, as: UInt32.self))
    let begin = offset + FrameHeader.size
    if stored <= bytes.count - begin {
      write(checksum(bytes, begin..<begin + stored), &bytes, offset + 48)
    }
    write(checksum(bytes, offset..<offset + 60), &bytes, offset + 60)
    let end = (begin + stored + 7) & ~7
    return end <= bytes.count ? end : nil
  }

  /// Repairs the header and the frames of a log.
  static func log(_ bytes: inout [UInt8]) {
    logHeader(&bytes)
    var offset = LogHeader.size
    while let end = frame(&bytes, at: offset), end > offset { offset = end }
  }

  /// Repairs a message of a stream and its complete commits.
  static func message(_ bytes: inout [UInt8]) {
    let size = 120
    guard bytes.count >= size else { return }
    var offset = size
    while let end = frame(&bytes, at: offset), end > offset { offset = end }
    write(checksum(bytes, size..<bytes.count), &bytes, size - 8)
    write(checksum(bytes, 0..<size - 4), &bytes, size - 4)
  }

  /// Repairs a segment: header, block columns, regions, footer.
  static func segment(_ bytes: inout [UInt8]) {
    let footerLength = 168
    guard bytes.count >= 80 + footerLength else { return }
    write(checksum(bytes, 0..<76), &bytes, 76)
    let footer = bytes.count - footerLength
    write(UInt64(footer), &bytes, footer + 144)
    func region(_ number: Int) -> Range<Int>? {
      let offset = read(bytes, footer + number * 20, as: UInt64.self)
      let length = read(bytes, footer + number * 20 + 8, as: UInt64.self)
      guard offset <= UInt64(footer), length <= UInt64(footer) - offset else { return nil }
      return Int(offset)..<Int(offset + length)
    }
    if let directory = region(2) {
      for entry in stride(from: directory.lowerBound, to: directory.upperBound - 191, by: 192) {
        var begin = read(bytes, entry, as: UInt64.self)
        for column in 0..<11 {
          let length = UInt64(read(bytes, entry + 16 + column * 4, as: UInt32.self))
          guard begin <= UInt64(footer), length <= UInt64(footer) - begin else { break }
          let range = Int(begin)..<Int(begin + length)
          write(checksum(bytes, range), &bytes, entry + 60 + column * 4)
          begin += length
        }
      }
    }
    for number in 0..<6 {
      if let range = region(number) {
        write(checksum(bytes, range), &bytes, footer + number * 20 + 16)
      }
    }
    write(checksum(bytes, footer..<footer + 156), &bytes, footer + 156)
  }
}
