/// The parts of a store file, each with its own checksum.
///
/// Determined from the format specification, without the engine's code.
package struct FileRegions: Sendable {
  package private(set) var ranges: [Range<Int>] = []
  /// In a log: the offset after the last frame.
  package private(set) var end: Int
  /// In a log: the frames.
  package private(set) var frames: [Range<Int>] = []
  /// In a log: the end marker.
  package private(set) var mark: Range<Int>?

  package init(name: String, _ bytes: [UInt8]) {
    end = bytes.count
    if name.hasSuffix(".segment") { readSegment(bytes) } else { readLog(bytes) }
  }

  /// Returns the part that contains a byte.
  package func range(of byte: Int) -> Range<Int>? { ranges.first { $0.contains(byte) } }

  private mutating func readLog(_ bytes: [UInt8]) {
    ranges.append(0..<128)
    var offset = 128
    while offset + 64 <= bytes.count, Self.word(bytes, offset, 4) == 0x4D52_4653,
      Self.word(bytes, offset + 12, 4) > 0
    {
      let length = (64 + Self.word(bytes, offset + 4, 4) + 7) & ~7
      frames.append(offset..<offset + length)
      ranges.append(offset..<offset + length)
      offset += length
    }
    end = offset
    if offset + 64 <= bytes.count, Self.word(bytes, offset, 4) == 0x4D52_4653 {
      mark = offset..<offset + 64
    }
  }

  private mutating func readSegment(_ bytes: [UInt8]) {
    let footer = bytes.count - 168
    ranges.append(0..<80)
    let regions = (0..<6).map { region -> Range<Int> in
      let offset = Self.word(bytes, footer + region * 20, 8)
      return offset..<offset + Self.word(bytes, footer + region * 20 + 8, 8)
    }
    for entry in stride(from: regions[2].lowerBound, to: regions[2].upperBound, by: 192) {
      var offset = Self.word(bytes, entry, 8)
      for column in 0..<11 {
        let length = Self.word(bytes, entry + 16 + column * 4, 4)
        ranges.append(offset..<offset + length)
        offset += length
      }
    }
    ranges += regions
    // The backup header and footer.
    ranges.append(regions[3].upperBound..<regions[3].upperBound + 80 + 168)
    ranges.append(footer..<bytes.count)
    ranges.removeAll(where: \.isEmpty)
  }

  private static func word(_ bytes: [UInt8], _ offset: Int, _ size: Int) -> Int {
    (0..<size).reversed().reduce(0) { $0 << 8 | Int(bytes[offset + $1]) }
  }
}
