import HealthStore
import SampleLog

/// An export of samples, or of the changes since an earlier export.
struct SampleExport {
  /// The identifiers of the selected types; empty for every type.
  var types: [String]
  /// The selected subjects, or nil for every subject.
  var subjects: [String]?
  /// The conditions that samples must satisfy.
  var filter: RowFilter
  /// The selected activity summaries, or nil for none.
  var days: ActivityDays?
  /// The anchor of the previous export, or nil to export all existing samples.
  var anchor: Anchor?

  /// Returns whether a sample can be decoded, and reports it if it cannot.
  typealias Reading = (Block, Int) throws -> Bool

  /// The number of changes in a page.
  private static let pageCount = 4096

  /// Writes the export and returns the anchor for the next one.
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
      // Summaries change with their samples and have no feed, so they are always written in full.
      if let days { try writer.add(days.read(database, snapshot), of: days) }
      try writer.end()
    } catch {
      // The output so far is still useful, except in SQL, where the transaction never commits.
      try writer.sink.flush()
      throw error
    }
    try writer.sink.finish()
    return end
  }

  private func writeSamples(
    _ snapshot: Snapshot, _ writer: any SampleWriter, _ canRead: Reading
  ) throws {
    let sink = writer.sink
    for key in series(in: snapshot) {
      try snapshot.stream([key], where: filter) { rows in
        try rows.forEachRow { block, row in
          if try canRead(block, row) { try writer.add(block, row) }
          try sink.flushIfFull()
        }
        return true
      }
    }
  }

  /// Returns the selected series, sorted by subject and type name.
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
    // A list of series would miss the deletions of series that have no samples left.
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

  /// Returns a function that decides whether rows of a type and subject are exported.
  private func choice(_ symbols: SymbolTable) -> @Sendable (Symbol, Symbol) -> Bool {
    let types = types.isEmpty ? nil : Set(types.map { symbols.intern($0) })
    let subjects = subjects.map { Set($0.map { symbols.intern($0) }) }
    return { type, subject in
      // Child rows are part of their samples and not samples themselves.
      (types?.contains(type) ?? !symbols.isChildType(type)) && subjects?.contains(subject) ?? true
    }
  }
}
