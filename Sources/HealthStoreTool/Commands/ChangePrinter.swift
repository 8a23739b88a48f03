import HealthStore
import SampleLog

/// Prints the feed from a place on.
struct ChangePrinter {
  /// The sequence number that everything up to has been printed.
  private(set) var place: UInt64
  /// Where the first pass began that it is in the middle of.
  private var begun: UInt64
  /// How many changes may still be printed.
  private(set) var left: Int
  private let types: [String]
  private let subject: String?
  private let output: Output

  init(
    place: UInt64, begun: UInt64 = 0, types: [String], subject: String?, left: Int, output: Output
  ) {
    self.place = place
    self.begun = begun
    self.types = types
    self.subject = subject
    self.left = left
    self.output = output
  }

  /// Prints what is new; returns whether there was anything.
  @discardableResult
  mutating func printNew(_ database: Database) throws -> Bool {
    let snapshot = database.snapshot()
    let words = RowWords(RowReader(database))
    let filter = filter(database.symbols)
    var isAny = false
    while left > 0 {
      let page = try snapshot.changes(
        after: place, where: filter, limit: min(4096, left), begun: begun)
      for change in page.changes {
        try output.line(Self.line(change, words))
        isAny = true
      }
      left -= page.changes.count
      place = page.anchor
      begun = page.begun
      if !page.isCut { break }
    }
    return isAny
  }

  /// Prints where to go on, at once.
  func printAnchor(_ database: Database) throws {
    var object = JSONObject()
    object.add("anchor", AnchorText(database, at: place, begun: begun).text)
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

  private func filter(_ symbols: SymbolTable) -> RowFilter {
    var filter = RowFilter()
    guard !types.isEmpty || subject != nil else { return filter }
    let types = Set(types.map { symbols.intern($0) })
    let subject = subject.map { symbols.intern($0) }
    // A condition and no list of series: one whose samples are all gone still has deletions.
    filter.condition = { block, _ in
      (types.isEmpty || types.contains(block.type))
        && (subject.map { $0 == block.subject } ?? true)
    }
    return filter
  }
}
