import HealthStore
import SampleLog

/// Prints the changes to a store, and where to read on.
struct ChangePrinter: ~Copyable {
  /// How many changes may still be printed.
  private(set) var left: Int
  private let feed: ChangeFeed
  private let words: RowWords
  private let symbols: SymbolTable
  /// Whose changes are printed; nil for everybody's.
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
    } catch let error as StoreError {
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

  /// Prints what comes before the first change.
  func begin() throws {
    switch format {
    case .table: try output.line(ChangeText.tableTitle)
    case .csv: try output.line(OutputFormat.csv(ChangeText.fields))
    case .json, .jsonl: break
    }
  }

  /// Prints what is new; returns whether there was anything.
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

  /// Prints where to read on, at once.
  mutating func printAnchor() throws {
    try print(ChangeText(anchor: AnchorText.text(of: feed.anchor)))
    try output.write(bytes: text.take())
    try output.flush()
  }

  /// Prints what comes after the last change.
  func end() throws {
    if format == .json { try output.write("]\n") }
  }

  /// The exit status: samples that could not be read were left out.
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
    // A condition and no list of series: one whose samples are all gone still has deletions.
    filter.condition = { block, row in
      // What belongs to samples is none itself.
      (types.isEmpty ? !symbols.isOwnedType(block.type) : types.contains(block.type))
        && (subject.map { $0 == block.subject(at: row) } ?? true)
    }
    return filter
  }
}
