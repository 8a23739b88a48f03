/// The encoded directory, whose fields are decoded on access.
///
/// Points into memory that the segment owns. After
/// ``check(series:footer:symbols:blocksFrom:)`` succeeds, every field may be used without
/// bounds checks.
struct UnsafeDirectory: @unchecked Sendable {
  private let base: UnsafeRawPointer
  let count: Int

  init(_ bytes: UnsafeRawBufferPointer) {
    base = bytes.baseAddress ?? UnsafeRawPointer(bitPattern: 8).unsafelyUnwrapped
    count = bytes.count / DirectoryEntry.length
  }

  @inline(__always)
  func word(_ block: Int, _ field: Int) -> UInt64 {
    UInt64(
      littleEndian: base.loadUnaligned(
        fromByteOffset: block &* DirectoryEntry.length &+ field, as: UInt64.self))
  }

  @inline(__always)
  func half(_ block: Int, _ field: Int) -> UInt32 {
    UInt32(
      littleEndian: base.loadUnaligned(
        fromByteOffset: block &* DirectoryEntry.length &+ field, as: UInt32.self))
  }

  @inline(__always)
  func rows(_ block: Int) -> Int { Int(half(block, DirectoryEntry.rows)) }

  @inline(__always)
  func firstRow(_ block: Int) -> Int { Int(half(block, DirectoryEntry.firstRow)) }

  @inline(__always)
  func series(_ block: Int) -> Int { Int(half(block, DirectoryEntry.series)) }

  @inline(__always)
  func offset(_ block: Int) -> Int { Int(truncatingIfNeeded: word(block, DirectoryEntry.offset)) }

  func idEncoding(_ block: Int) -> UInt8 {
    UInt8(truncatingIfNeeded: half(block, DirectoryEntry.idEncoding))
  }

  /// Returns whether the length of a block's identifier column is possible for its encoding.
  private func hasPossibleIdentifiers(_ block: Int) -> Bool {
    let length = length(block, StoredColumn.id.rawValue)
    let encoding = idEncoding(block)
    guard encoding != DerivedIdentifiers.encoding else {
      return length > 0 && length < rows(block) * 16 + IdentifierCodec.headerLength
    }
    return length == IdentifierCodec.byteCount(rows(block), encoding: encoding)
  }

  @inline(__always)
  func length(_ block: Int, _ column: Int) -> Int {
    Int(half(block, DirectoryEntry.lengths &+ column &* 4))
  }

  @inline(__always)
  func checksum(_ block: Int, _ column: Int) -> UInt32 {
    half(block, DirectoryEntry.checksums &+ column &* 4)
  }

  /// Returns the byte range of a column of a block in the file.
  func extent(_ block: Int, _ column: StoredColumn) -> Range<Int> {
    var begin = offset(block)
    for before in 0..<column.rawValue { begin += length(block, before) }
    return begin..<begin + length(block, column.rawValue)
  }

  /// Returns whether a block can be read by its entry although the directory's checksum is wrong.
  ///
  /// The block's own checksums then verify its contents, but not its row numbers, which determine
  /// the subjects in a shared block. In a group of several series an adjacent entry must therefore
  /// agree on the row numbers.
  func isUsable(_ block: Int, of group: SegmentGroup, _ series: SeriesTable, fileSize: Int) -> Bool
  {
    let offset = word(block, DirectoryEntry.offset)
    let first = firstRow(block)
    let number = self.series(block)
    guard rows(block) > 0, rows(block) <= Block.maximumRows,
      first >= group.rows.lowerBound, first + rows(block) <= group.rows.upperBound,
      group.series.contains(number), series.rows(number).contains(first),
      group.series.count == 1 || isNextToNeighbour(block, of: group),
      offset >= UInt64(SegmentHeader.length), offset < UInt64(fileSize),
      half(block, DirectoryEntry.idEncoding) <= 0xFF,
      hasPossibleIdentifiers(block)
    else { return false }
    return end(block, from: Int(offset), of: group.kind).map { $0 <= fileSize } ?? false
  }

  /// Returns the end of a block whose columns begin at an offset, or nil if their lengths are
  /// impossible for the kind.
  private func end(_ block: Int, from offset: Int, of kind: RowKind) -> Int? {
    let target = length(block, StoredColumn.target.rawValue)
    let time = length(block, StoredColumn.time.rawValue)
    let extras = length(block, StoredColumn.extras.rawValue)
    // The total length of the other columns, and the greatest less 1, of which 0 makes the greatest
    // number: opening a segment checks every column of every block.
    var total = 0
    var greatest: UInt = 0
    func add(_ column: StoredColumn) {
      let length = length(block, column.rawValue)
      total &+= length
      greatest = max(greatest, UInt(bitPattern: length &- 1))
    }
    add(.start)
    add(.end)
    add(.value)
    add(.unit)
    add(.source)
    add(.device)
    add(.sequence)
    add(.id)
    if kind == .deletion {
      add(.target)
      add(.time)
    } else if target | time != 0 {
      return nil
    }
    let limit = 128 + rows(block) * Segment.maximumNumberLength
    guard extras > 0, greatest < UInt(limit) else { return nil }
    return offset + total + extras
  }

  /// Returns whether the rows of a block adjoin those of the previous or the next block.
  private func isNextToNeighbour(_ block: Int, of group: SegmentGroup) -> Bool {
    let (first, end) = (firstRow(block), firstRow(block) + rows(block))
    let before =
      block == group.blocks.lowerBound
      ? group.rows.lowerBound : firstRow(block - 1) + rows(block - 1)
    let behind =
      block + 1 == group.blocks.upperBound ? group.rows.upperBound : firstRow(block + 1)
    return first == before || end == behind
  }

  /// Returns the byte range of a block in the file.
  func bytes(_ block: Int) -> Range<Int> {
    offset(block)..<extent(block, .id).upperBound
  }

  /// Checks that the blocks are contiguous from the header to the first region, that their row
  /// counts add up, and that every field is in range.
  func check(
    series: SeriesTable, footer: SegmentFooter, symbols: Int, blocksFrom: Int
  ) throws(CodecError) {
    let last = footer[.symbols].offset
    var end = blocksFrom
    var row = 0
    func isSymbol(_ code: UInt32) -> Bool { code == DirectoryEntry.mixed || Int(code) < symbols }
    for group in series.groups {
      for block in group.blocks {
        guard word(block, DirectoryEntry.offset) == UInt64(end), firstRow(block) == row,
          rows(block) > 0, rows(block) <= Block.maximumRows,
          group.series.contains(self.series(block)), series.rows(self.series(block)).contains(row),
          isSymbol(half(block, DirectoryEntry.unit)),
          isSymbol(half(block, DirectoryEntry.source)),
          half(block, DirectoryEntry.idEncoding) <= 0xFF,
          hasPossibleIdentifiers(block)
        else { throw CodecError("block \(block) makes no sense") }
        guard let next = self.end(block, from: end, of: group.kind) else {
          throw CodecError("block \(block) has the wrong columns")
        }
        end = next
        guard end <= last else { throw CodecError("block \(block) is outside of the file") }
        row += rows(block)
      }
      guard row == group.rows.upperBound else {
        throw CodecError("rows of a series do not add up")
      }
    }
    guard end == last else { throw CodecError("blocks that do not end at the symbols") }
  }
}
