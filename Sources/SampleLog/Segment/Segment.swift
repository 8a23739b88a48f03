/// An open segment file: immutable, safe to read from any number of threads at once.
///
/// Opening reads header, footer, directory, series, symbols and settings (about 200 bytes a
/// block). Blocks are read on demand; a cache may keep some of them here as they are stored
/// (``PointReadState``). The key index is read when the first identifier is looked up and kept from
/// then on, about 3.8 bytes a sample, if there is room for it, else only its counts; the sync key
/// index is kept whole, with 8 bytes for each sample that has a sync identifier.
package final class Segment: Sendable {
  package static let maximumRows = 1 << 25
  /// The most that symbols, series, directory and settings may take together.
  static let maximumIndexLength = 1 << 33
  /// The most that a column of numbers may take for a row: 64 bits, their index in a table of
  /// exceptions, their distance there, and once more what the double would be.
  static let maximumNumberLength = 32

  package let header: SegmentHeader
  package let name: String
  package let fileSize: Int
  package let settings: [Setting]
  package let symbols: SymbolTable

  let file: any File
  let footer: SegmentFooter
  /// The symbols of the numbers this file uses.
  let localSymbols: [Symbol]
  let hash: KeyHash
  /// Whose the rows are.
  let series: SeriesTable
  // Symbols, series, directory and settings as they are in the file.
  private let tail: RawMemory
  let directory: UnsafeDirectory
  let lazy = Locked(LazyState())
  /// What tells most strangers; only a segment that this process has written has one.
  let filter: BloomFilter?

  let indexMemory: IndexMemory?
  private let events: EventSink?
  /// The key index when it is in memory.
  let residentKeys = SetOnceReference<KeyIndex>()
  /// What reading single rows needs, made when the first is wanted.
  let pointReadState = SetOnceReference<PointReadState>()

  /// What is read when it is needed first.
  struct LazyState: Sendable {
    /// Whether another file has taken its place, so that caches should not keep it.
    var isRetired = false
    /// The key index when there was no room for it in memory.
    var storedKeys: StoredKeyIndex?
    var syncKeys: RawMemory?
  }

  /// Opens a segment, which errors call by its name.
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

  /// What a segment is made of when it does not open as it should.
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

  /// Takes parts that somebody else checked; of blocks only those whose entries make sense may be
  /// asked for.
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

  /// Returns what is known of a block without reading it.
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

  /// Returns the block of a row of the segment, and its index there.
  package func locate(row: Int) -> (block: Int, row: Int) {
    precondition(row >= 0 && row < rowCount, "no such row")
    return withPointReadState { $0.locator.locate(row) }
  }

  /// The bytes of a file where the header should be; fewer of a file that is too short.
  static func head(of file: any File, _ name: String) throws -> [UInt8] {
    guard let head = try file.bytes(min(SegmentHeader.length, file.size()), at: 0) else {
      throw StoreError.damaged(file: name, offset: 0, reason: "the file is cut")
    }
    return head
  }

  /// The error that bytes of the file are damaged, which it reports.
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
    guard try file.read(into: memory.writable, at: range.lowerBound) == range.count else {
      throw StoreError.damaged(file: name, offset: range.lowerBound, reason: "the file is cut")
    }
    return memory
  }
}
