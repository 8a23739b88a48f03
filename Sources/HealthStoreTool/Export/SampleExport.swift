import HealthStore
import SampleLog

/// An export of samples, or of what has changed with them.
struct SampleExport {
  /// The types' identifiers; empty for every type.
  var types: [String]
  /// Whose samples; nil for everybody's.
  var subjects: [String]?
  /// What the samples must satisfy.
  var filter: RowFilter
  /// The activity summaries; nil for none.
  var days: ActivityDays?
  /// Where the last export ended; nil for all samples that there are.
  var anchor: Anchor?

  /// Decides which samples can be written, and tells of the others.
  typealias Reading = (Block, Int) throws -> Bool

  /// So many changes are found at a time.
  private static let pageCount = 4096

  /// Writes everything, and returns the anchor for the next export.
  func run(
    _ database: Database, _ snapshot: Snapshot, _ writer: any SampleWriter,
    where canRead: Reading = { _, _ in true }
  ) throws -> Anchor {
    let end = database.anchor(at: snapshot.end)
    try writer.begin()
    do {
      if let anchor {
        try writeChanges(after: anchor, snapshot, writer, canRead)
      } else {
        try writeSamples(snapshot, writer, canRead)
      }
      // Whole each time: they change with their samples, and no feed tells of it.
      if let days { try writer.add(days.read(database, snapshot), of: days) }
      try writer.end()
    } catch {
      // What came before is worth having, except to whom it is all or nothing.
      try writer.sink.flush()
      throw error
    }
    try writer.sink.finish()
    return end
  }

  private func writeSamples(
    _ snapshot: Snapshot, _ writer: any SampleWriter, _ canRead: Reading
  ) throws {
    for key in series(in: snapshot) {
      try snapshot.stream([key], where: filter) { rows in
        try rows.forEachRow { block, row in
          if try canRead(block, row) { try writer.add(block, row) }
          try writer.sink.flushIfFull()
        }
        return true
      }
    }
  }

  /// The chosen series, by subject and type.
  private func series(in snapshot: Snapshot) -> [SeriesKey] {
    let isChosen = choice(snapshot.symbols)
    let chosen = snapshot.series.filter { isChosen($0.type, $0.subject) }
    let named = chosen.map { key in
      (snapshot.symbols.text(key.subject), snapshot.symbols.text(key.type), key)
    }
    return named.sorted { ($0.0, $0.1) < ($1.0, $1.1) }.map(\.2)
  }

  private func writeChanges(
    after anchor: Anchor, _ snapshot: Snapshot, _ writer: any SampleWriter, _ canRead: Reading
  ) throws {
    let isChosen = choice(snapshot.symbols)
    var filter = filter
    // A condition and no list of series: one whose samples are all gone still has deletions.
    filter.condition = { block, row in isChosen(block.type, block.subject(at: row)) }
    var anchor = anchor
    while true {
      let page: ChangePage
      do {
        page = try snapshot.changes(after: anchor, in: nil, where: filter, limit: Self.pageCount)
      } catch let error as StoreError {
        if case .damaged = error { throw error }
        throw Failure("\(error) Leave --after out to start from the beginning.", status: .failed)
      }
      for erasure in page.erasures {
        let subject = snapshot.symbols.text(erasure.subject)
        if subjects?.contains(subject) ?? true { try writer.erase(subject) }
      }
      for change in page.changes {
        if change.kind == .sample {
          let (block, row) = (change.row.block, change.row.row)
          if try canRead(block, row) { try writer.add(block, row) }
        } else {
          try writer.delete(change)
        }
        try writer.sink.flushIfFull()
      }
      anchor = page.anchor
      if !page.hasMore { return }
    }
  }

  /// Whether rows of a type and subject are exported.
  private func choice(_ symbols: SymbolTable) -> @Sendable (Symbol, Symbol) -> Bool {
    let types = types.isEmpty ? nil : Set(types.map { symbols.intern($0) })
    let subjects = subjects.map { Set($0.map { symbols.intern($0) }) }
    return { type, subject in
      // What belongs to samples is none itself.
      (types?.contains(type) ?? !symbols.isOwnedType(type)) && subjects?.contains(subject) ?? true
    }
  }
}
