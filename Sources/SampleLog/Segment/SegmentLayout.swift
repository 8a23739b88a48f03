/// The columns of a block, in file order.
///
/// Columns that queries read together are adjacent, so that one read fetches them.
enum StoredColumn: Int, CaseIterable {
  case start, end, value, unit, source, device, extras, sequence, target, time, id

  static let count = 11

  /// Returns the mask of the stored columns that decoding a column set requires.
  static func mask(_ columns: ColumnSet) -> UInt32 {
    var mask: UInt32 = 0
    func want(_ column: StoredColumn, for users: ColumnSet) {
      if !columns.isDisjoint(with: users) { mask |= 1 << UInt32(column.rawValue) }
    }
    // End dates may be encoded as distances from start dates.
    want(.start, for: [.start, .end])
    want(.end, for: .end)
    want(.value, for: .value)
    want(.unit, for: .unit)
    want(.source, for: .source)
    want(.device, for: .device)
    want(.extras, for: .extras)
    want(.sequence, for: .sequence)
    want(.target, for: .target)
    want(.time, for: .target)
    want(.id, for: .id)
    return mask
  }
}

/// The byte offsets of the fields in a block's directory entry.
enum DirectoryEntry {
  static let offset = 0
  static let rows = 8
  static let firstRow = 12
  static let lengths = 16
  static let checksums = 60
  static let minSequence = 104
  static let maxSequence = 112
  static let minStart = 120
  static let maxStart = 128
  static let minEnd = 136
  static let maxEnd = 144
  static let minValue = 152
  static let maxValue = 160
  static let sum = 168
  static let unit = 176
  static let source = 180
  static let series = 184
  static let idEncoding = 188
  static let length = 192

  /// The value of a symbol field if the rows have different symbols.
  static let mixed: UInt32 = .max
}

/// The regions that follow the blocks of a segment, in file order.
enum Region: Int, CaseIterable {
  case symbols, series, directory, settings, keys, syncKeys

  static let count = 6
  /// The first region after the backup header.
  ///
  /// The backup precedes the indexes, which a truncated file most likely lacks.
  static let firstAfterBackupHeader = Region.keys
}

/// The backup copy of header and footer, with which a file survives damage to either.
enum BackupHeader {
  static let length = SegmentHeader.length + SegmentFooter.length
}

/// The last bytes of a segment: the extents of its regions and its row counts.
struct SegmentFooter: Equatable {
  struct Extent: Equatable {
    var offset: Int
    var length: Int
    var checksum: UInt32
    var end: Int { offset + length }
  }

  var regions: [Extent] = []
  var samples = 0
  var deletions = 0
  var blocks = 0
  var series = 0

  var rows: Int { samples + deletions }

  subscript(_ region: Region) -> Extent { regions[region.rawValue] }

  static let magic: [UInt8] = [0x48, 0x53, 0x73, 0x65, 0x67, 0x45, 0x4E, 0x44]
  /// Six regions, four counts, and the trailer: position, length, checksum, magic.
  static let length = Region.count * 20 + 24 + 24

  func encoded(at position: Int) -> [UInt8] {
    var writer = ByteWriter(reserving: SegmentFooter.length)
    for region in regions {
      writer.fixed(UInt64(region.offset))
      writer.fixed(UInt64(region.length))
      writer.fixed(region.checksum)
    }
    writer.fixed(UInt64(samples))
    writer.fixed(UInt64(deletions))
    writer.fixed(UInt32(blocks))
    writer.fixed(UInt32(series))
    writer.fixed(UInt64(position))
    writer.fixed(UInt32(SegmentFooter.length))
    writer.fixed(checksum(writer.bytes))
    writer.append(SegmentFooter.magic)
    return writer.bytes
  }

  init() {}

  /// Parses a footer that begins at `position` and ends the file.
  init(_ bytes: [UInt8], at position: Int) throws(CodecError) {
    guard bytes.count == SegmentFooter.length,
      Array(bytes.suffix(8)) == SegmentFooter.magic
    else { throw CodecError("no footer at the end: the file is cut") }
    let parsed = bytes.withUnsafeBytes { SegmentFooter.parse($0, at: position) }
    guard let parsed else { throw CodecError("wrong checksum of the footer") }
    self = parsed
    // A gap between the regions would not be covered by a checksum.
    var end = regions[0].offset
    guard end >= SegmentHeader.length else { throw CodecError("regions in the header") }
    for (index, region) in regions.enumerated() {
      if index == Region.firstAfterBackupHeader.rawValue { end += BackupHeader.length }
      guard region.offset == end, region.length >= 0, region.length <= position - end else {
        throw CodecError("regions that are not neighbours")
      }
      end = region.end
    }
    guard end == position else { throw CodecError("regions that do not end at the footer") }
    // Opening reads these regions in one allocation, before it can verify their contents.
    guard self[.settings].end - self[.symbols].offset <= Segment.maximumIndexLength else {
      throw CodecError("regions that are too long")
    }
    guard self[.directory].length == blocks * DirectoryEntry.length,
      series <= rows, blocks <= rows, rows <= blocks * Block.maximumRows,
      rows <= Segment.maximumRows
    else { throw CodecError("counts that do not match the regions") }
  }

  private static func parse(_ bytes: UnsafeRawBufferPointer, at position: Int) -> SegmentFooter? {
    var reader = ByteReader(bytes)
    var footer = SegmentFooter()
    // Exceeds any possible file length, and the sum of two such numbers does not overflow.
    let limit: UInt64 = 1 << 61
    for _ in Region.allCases {
      guard let offset = reader.fixed64(), let length = reader.fixed64(), offset < limit,
        length < limit, let checksum = reader.fixed(UInt32.self)
      else { return nil }
      footer.regions.append(
        Extent(offset: Int(offset), length: Int(length), checksum: checksum))
    }
    guard let samples = reader.fixed64(), let deletions = reader.fixed64(),
      let blocks = reader.fixed(UInt32.self), let series = reader.fixed(UInt32.self),
      samples <= 1 << 32, deletions <= 1 << 32
    else { return nil }
    footer.samples = Int(samples)
    footer.deletions = Int(deletions)
    footer.blocks = Int(blocks)
    footer.series = Int(series)
    guard reader.fixed64() == UInt64(position),
      reader.fixed(UInt32.self) == UInt32(SegmentFooter.length)
    else { return nil }
    let covered = UnsafeRawBufferPointer(rebasing: bytes[..<reader.offset])
    guard reader.fixed(UInt32.self) == checksum(covered) else { return nil }
    return footer
  }
}
