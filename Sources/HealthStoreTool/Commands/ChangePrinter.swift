import HealthStore
import SampleLog

/// Prints the changes to a store, and the anchor at which to continue.
struct ChangePrinter: ~Copyable {
  /// The number of changes that may still be printed.
  private(set) var left: Int
  private let feed: ChangeFeed
  private let words: RowWords
  private let symbols: SymbolTable
  /// The subject whose changes are printed, or nil for every subject.
  private let subject: Symbol?
  private let format: OutputFormat
  private let forSpreadsheet: Bool
  private let output: Output
  private let database: Database
  private let unreadable: UnreadableSamples
  private var encoder: RowEncoder
  private var text = TextBuffer()
  private var isFirst = true

  init(
    _ database: Database, after anchor: Anchor, types: [String], subject: String?, left: Int,
    format: OutputFormat, forSpreadsheet: Bool, console: Console
  ) throws {
    self.format = format
    self.forSpreadsheet = forSpreadsheet
    self.subject = subject.map { database.symbols.intern($0) }
    let filter = Self.filter(types, self.subject, database.symbols)
    do {
      feed = try ChangeFeed(database, after: anchor, of: SeriesSelection(where: filter))
    } catch let error as StoreError where Failure(error).status != .behind {
      throw Failure("\(error) Leave --after out to start from the beginning.", status: .failed)
    }
    symbols = database.symbols
    words = RowWords(database)
    encoder = RowEncoder(isCSV: format == .csv, forSpreadsheet: forSpreadsheet, words)
    unreadable = UnreadableSamples(words.reader, console)
    self.database = database
    self.left = left
    output = console.out
  }

  /// Prints the header.
  func begin() throws {
    switch format {
    case .table: try output.line(ChangeText.tableTitle)
    case .csv: try output.line(OutputFormat.csv(ChangeText.fields))
    case .json, .jsonl: break
    }
  }

  /// Prints the new changes, and returns whether there were any.
  @discardableResult
  mutating func printNew() throws -> Bool {
    var isAny = false
    while left > 0, let page = try feed.next(limit: min(4096, left)) {
      for erasure in page.erasures where subject.map({ $0 == erasure.subject }) ?? true {
        try print(ChangeText(erased: symbols.text(erasure.subject)))
        isAny = true
      }
      let snapshot = database.snapshot()
      for change in page.changes {
        isAny = true
        let (block, row) = (change.row.block, change.row.row)
        guard try change.kind != .sample || unreadable.admits(block, row, in: snapshot) else {
          continue
        }
        try print(change)
      }
      left -= page.changes.count
      try output.write(bytes: text.take())
    }
    return isAny
  }

  /// Prints the anchor at which to continue, and flushes the output.
  mutating func printAnchor() throws {
    try print(ChangeText(anchor: AnchorText.text(of: feed.anchor)))
    try output.write(bytes: text.take())
    try output.flush()
  }

  /// Prints the footer.
  func end() throws {
    if format == .json { try output.write("]\n") }
  }

  /// Returns the exit status, which reports samples that could not be decoded.
  func status() -> ExitStatus { unreadable.status() }

  private mutating func print(_ change: Change) throws {
    guard change.kind == .sample, format != .table else {
      return try print(ChangeText(change, words))
    }
    beginRecord()
    text.append(literal: format == .csv ? "added," : #"{"kind":"added","#)
    try encoder.append(change.row.block, change.row.row, to: &text)
    text.append(literal: format == .csv ? "," : "}")
    endRecord()
  }

  private mutating func print(_ change: ChangeText) throws {
    beginRecord()
    switch format {
    case .table: text.append(try change.tableLine())
    case .csv: text.append(OutputFormat.csv(change.csvFields, forSpreadsheet: forSpreadsheet))
    case .json, .jsonl: text.append(change.object.text)
    }
    endRecord()
  }

  private mutating func beginRecord() {
    if format == .json { text.append(literal: isFirst ? "[" : ",\n ") }
    isFirst = false
  }

  private mutating func endRecord() {
    if format != .json { text.append(UInt8(ascii: "\n")) }
  }

  private static func filter(
    _ types: [String], _ subject: Symbol?, _ symbols: SymbolTable
  ) -> RowFilter {
    var filter = RowFilter()
    let types = Set(types.map { symbols.intern($0) })
    // A list of series would miss the deletions of series that have no samples left.
    filter.condition = { block, row in
      // Child rows are part of their samples and not samples themselves.
      (types.isEmpty ? !symbols.isChildType(block.type) : types.contains(block.type))
        && (subject.map { $0 == block.subject(at: row) } ?? true)
    }
    return filter
  }
}
