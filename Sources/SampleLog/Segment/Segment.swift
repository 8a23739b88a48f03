internal import Synchronization

/// An open segment file: immutable, and safe for concurrent reads from any number of threads.
///
/// Opening reads the header, footer, directory, series, symbols and settings: about 200 bytes per
/// block. Blocks are read on demand; a cache may attach encoded blocks to the segment
/// (``PointReadState``). The first look-up of an identifier loads the key index, which takes about
/// 3.8 bytes per sample. If the memory budget is exhausted, only the counts of the index are kept.
/// The sync key index is loaded whole: 8 bytes for each sample that has a sync identifier.
package final class Segment: Sendable {
  package static let maximumRows = 1 << 25
  /// The maximum total length of symbols, series, directory and settings, in bytes.
  static let maximumIndexLength = 1 << 33
  /// The maximum encoded length of a number, in bytes per row: 64 bits, an index into the table of
  /// exceptions, the distance stored there, and the value as a double.
  static let maximumNumberLength = 32

  package let header: SegmentHeader
  package let name: String
  package let fileSize: Int
  package let settings: [Setting]
  package let symbols: SymbolTable

  let file: any File
  let footer: SegmentFooter
  /// The symbols for the numbers by which this file refers to names.
  let localSymbols: [Symbol]
  let hash: KeyHash
  /// The series of the segment, and the subjects of its rows.
  let series: SeriesTable
  // The encoded symbols, series, directory and settings.
  private let tail: RawMemory
  let directory: UnsafeDirectory
  let lazy = Locked(LazyState())
  /// Whether another file has replaced this segment, so that caches should not retain it.
  let retired = Atomic(false)
  /// Serialises the creation of ``pointReadState``.
  let making = Locked(())
  /// A Bloom filter that rejects most unknown identifiers.
  ///
  /// Only segments that this process wrote have one.
  let filter: BloomFilter?

  let indexMemory: IndexMemory?
  private let events: EventSink?
  /// The key index, once it is loaded into memory.
  let residentKeys = SetOnceReference<KeyIndex>()
  /// The state for point reads, created on first use.
  let pointReadState = SetOnceReference<PointReadState>()

  /// State that is loaded on first use.
  struct LazyState: Sendable {
    /// The key index on disk, if it did not fit into the memory budget.
    var storedKeys: StoredKeyIndex?
    var syncKeys: RawMemory?
  }

  /// Opens a segment; `name` identifies the file in errors.
  ///
  /// - Throws: ``StoreError/damaged(file:offset:reason:)`` or
  ///   ``StoreError/unsupportedVersion(file:version:)``.
  package convenience init(file: any File, name: String, symbols: SymbolTable) throws {
    try self.init(file: file, name: name, symbols: symbols, filter: nil, indexMemory: nil)
  }

  init(
    file: any File, name: String, symbols: SymbolTable, filter: BloomFilter? = nil,
    indexMemory: IndexMemory?, events: EventSink? = nil
  ) throws {
    func damaged(_ offset: Int, _ reason: String) -> StoreError {
      .damaged(file: name, offset: offset, reason: reason)
    }
    self.file = file
    self.name = name
    self.symbols = symbols
    self.filter = filter
    self.indexMemory = indexMemory
    self.events = events
    fileSize = try file.size()
    header = try SegmentHeader(Segment.head(of: file, name), file: name)
    hash = KeyHash(header.storeID)
    let footerOffset = fileSize - SegmentFooter.length
    guard footerOffset >= SegmentHeader.length,
      let foot = try file.bytes(SegmentFooter.length, at: footerOffset)
    else { throw damaged(fileSize, "no footer at the end: the file is cut") }
    do {
      footer = try SegmentFooter(foot, at: footerOffset)
    } catch {
      throw damaged(footerOffset, error.reason)
    }
    let start = footer[.symbols].offset
    let footer = footer
    let tail = try Segment.read(file, name, start..<footer[.settings].end)
    self.tail = tail
    func region(_ region: Region) throws -> UnsafeRawBufferPointer {
      let extent = footer[region]
      let bytes = UnsafeRawBufferPointer(
        start: tail.base + (extent.offset - start), count: extent.length)
      guard checksum(bytes) == extent.checksum else {
        throw damaged(extent.offset, "wrong checksum of the \(region)")
      }
      return bytes
    }
    var current = Region.symbols
    do {
      let names = try SegmentNames(try region(.symbols), version: header.version, symbols)
      localSymbols = names.symbols
      current = .series
      series = try SeriesTable(
        try region(.series), footer, names, symbols, version: header.version)
      current = .directory
      directory = UnsafeDirectory(try region(.directory))
      try directory.check(
        series: series, footer: footer, symbols: localSymbols.count,
        blocksFrom: SegmentHeader.length)
      current = .settings
      settings = try Setting.decode(try region(.settings))
    } catch let damage as CodecError {
      throw damaged(footer[current].offset, damage.reason)
    }
  }

  /// The components of a segment that salvage has recovered from a damaged file.
  struct Parts {
    var fileSize: Int
    var header: SegmentHeader
    var footer: SegmentFooter
    var symbols: [Symbol]
    var series: SeriesTable
    var settings: [Setting]
    /// The bytes of the directory.
    var directory: RawMemory
  }

  /// Creates a segment from parts that the caller has checked.
  ///
  /// Callers may read only blocks whose directory entries are usable.
  init(file: any File, name: String, symbols: SymbolTable, parts: Parts) {
    self.file = file
    self.name = name
    self.symbols = symbols
    fileSize = parts.fileSize
    header = parts.header
    hash = KeyHash(parts.header.storeID)
    footer = parts.footer
    tail = parts.directory
    directory = UnsafeDirectory(parts.directory.bytes)
    localSymbols = parts.symbols
    series = parts.series
    settings = parts.settings
    filter = nil
    indexMemory = nil
    events = nil
  }

  deinit {
    residentKeys.withObject { indexMemory?.giveBack($0.byteCount) }
  }

  package var blockCount: Int { footer.blocks }
  package var rowCount: Int { footer.rows }
  package var sampleCount: Int { footer.samples }
  package var deletionCount: Int { footer.deletions }

  /// Returns the latest start date of a block.
  func maxStart(ofBlock block: Int) -> Double {
    precondition(block >= 0 && block < blockCount, "no such block")
    return Double(bitPattern: directory.word(block, DirectoryEntry.maxStart))
  }

  /// Returns the zone map of a block, from the directory.
  package func zone(_ block: Int) -> ZoneMap {
    precondition(block >= 0 && block < blockCount, "no such block")
    func double(_ field: Int) -> Double { Double(bitPattern: directory.word(block, field)) }
    func symbol(_ field: Int) -> Symbol? {
      let code = directory.half(block, field)
      return code == DirectoryEntry.mixed ? nil : localSymbols[Int(code)]
    }
    var zone = ZoneMap()
    zone.count = directory.rows(block)
    zone.minSequence = directory.word(block, DirectoryEntry.minSequence)
    zone.maxSequence = directory.word(block, DirectoryEntry.maxSequence)
    zone.minStart = double(DirectoryEntry.minStart)
    zone.maxStart = double(DirectoryEntry.maxStart)
    zone.minEnd = double(DirectoryEntry.minEnd)
    zone.maxEnd = double(DirectoryEntry.maxEnd)
    zone.minValue = double(DirectoryEntry.minValue)
    zone.maxValue = double(DirectoryEntry.maxValue)
    zone.sum = double(DirectoryEntry.sum)
    zone.unit = symbol(DirectoryEntry.unit)
    zone.source = symbol(DirectoryEntry.source)
    return zone
  }

  /// Returns the number of a block's first row among all rows of the segment.
  package func firstRow(ofBlock block: Int) -> Int {
    precondition(block >= 0 && block < blockCount, "no such block")
    return directory.firstRow(block)
  }

  /// Returns the block that contains a row of the segment, and the row's index in that block.
  package func locate(row: Int) -> (block: Int, row: Int) {
    precondition(row >= 0 && row < rowCount, "no such row")
    return withPointReadState { $0.locator.locate(row) }
  }

  /// Returns the bytes of a file at the header's position, or fewer if the file is too short.
  static func head(of file: any File, _ name: String) throws -> [UInt8] {
    guard let head = try file.bytes(min(SegmentHeader.length, file.size()), at: 0) else {
      throw StoreError.damaged(file: name, offset: 0, reason: "the file is cut")
    }
    return head
  }

  /// Returns the error for damage at an offset, after reporting it as an event.
  func damaged(at offset: Int, _ reason: String) -> StoreError {
    let error = StoreError.damaged(file: name, offset: offset, reason: reason)
    events?.report(error)
    return error
  }

  /// Reads bytes of the file into memory.
  func read(_ range: Range<Int>) throws -> RawMemory {
    do {
      return try Self.read(file, name, range)
    } catch {
      events?.report(error)
      throw error
    }
  }

  /// Reads bytes of a file into memory.
  static func read(_ file: any File, _ name: String, _ range: Range<Int>) throws -> RawMemory {
    let memory = RawMemory(range.count)
    if range.isEmpty { return memory }
    guard try file.readNow(into: memory.writable, at: range.lowerBound) == range.count else {
      throw StoreError.damaged(file: name, offset: range.lowerBound, reason: "the file is cut")
    }
    return memory
  }
}
