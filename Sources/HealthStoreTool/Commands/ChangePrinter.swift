import HealthStore
import SampleLog

/// Prints the changes to a store, and where to read on.
struct ChangePrinter {
  /// How many changes may still be printed.
  private(set) var left: Int
  private let feed: ChangeFeed
  private let words: RowWords
  private let symbols: SymbolTable
  /// Whose changes are printed; nil for everybody's.
  private let subject: Symbol?
  private let output: Output

  init(
    _ database: Database, after anchor: Anchor, types: [String], subject: String?, left: Int,
    output: Output
  ) throws {
    self.subject = subject.map { database.symbols.intern($0) }
    let filter = Self.filter(types, self.subject, database.symbols)
    do {
      feed = try ChangeFeed(database, after: anchor, of: SeriesSelection(where: filter))
    } catch let error as StoreError {
      throw Failure("\(error) Leave --after out to start from the beginning.", status: .failed)
    }
    symbols = database.symbols
    words = RowWords(RowReader(database))
    self.left = left
    self.output = output
  }

  /// Prints what is new; returns whether there was anything.
  @discardableResult
  mutating func printNew() throws -> Bool {
    var isAny = false
    while left > 0, let page = try feed.next(limit: min(4096, left)) {
      for erasure in page.erasures where subject.map({ $0 == erasure.subject }) ?? true {
        var object = JSONObject()
        object.add("kind", "erased")
        object.add("subject", symbols.text(erasure.subject))
        try output.line(object.text)
        isAny = true
      }
      for change in page.changes {
        try output.line(Self.line(change, words))
        isAny = true
      }
      left -= page.changes.count
    }
    return isAny
  }

  /// Prints where to read on, at once.
  func printAnchor() throws {
    var object = JSONObject()
    object.add("anchor", AnchorText.text(of: feed.anchor))
    try output.line(object.text)
    try output.flush()
  }

  private static func line(_ change: Change, _ words: RowWords) throws -> String {
    var object = JSONObject()
    switch change.kind {
    case .sample:
      object.add("kind", "added")
      try RowText(change.row, words).add(to: &object)
    case .deletion:
      object.add("kind", "deleted")
      object.add("type", words.type(of: change.row))
      object.add("uuid", "\(change.row.id)")
      object.add(ifAny: "subject", words.reader.subject(of: change.row))
    }
    return object.text
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
