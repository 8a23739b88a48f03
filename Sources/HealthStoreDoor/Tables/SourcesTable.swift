import HealthStore
import SampleLog

/// A number of samples and the range of dates that they cover.
struct Coverage: Sendable {
  var count = 0
  var first = Double.infinity
  var last = -Double.infinity

  mutating func include(_ start: Double, _ end: Double) {
    count += 1
    first = min(first, start)
    last = max(last, end)
  }

  mutating func include(_ other: Coverage) {
    count += other.count
    first = min(first, other.first)
    last = max(last, other.last)
  }

  /// Returns the coverage of the samples by subject and, if `bySource`, by source; otherwise the
  /// source is 0.
  static func all(
    of subjects: Set<String>?, bySource: Bool, _ store: Store, _ snapshot: Snapshot
  ) throws -> [(subject: String, source: Symbol, coverage: Coverage)] {
    let series = store.series(of: subjects, snapshot) { _ in true }
    if series.isEmpty { return [] }
    let cursor = try BlockCursor(
      snapshot, SeriesSelection(series.map(\.key)),
      columns: bySource ? [.start, .end, .source] : [.start, .end]
    ) { block, rows in
      var found: [SeriesKey: Coverage] = [:]
      // Adjacent rows mostly have the same subject and source.
      var (key, run) = (SeriesKey?.none, Coverage())
      for row in rows.lazy.map(Int.init) {
        // Used as a pair of symbols; `type` holds the source.
        let next = SeriesKey(
          subject: block.subject(at: row), type: bySource ? block.source[row] : 0)
        if next != key {
          if let key { found[key, default: Coverage()].include(run) }
          (key, run) = (next, Coverage())
        }
        run.include(block.start[row], block.end[row])
      }
      if let key { found[key, default: Coverage()].include(run) }
      return found
    }
    var total: [SeriesKey: Coverage] = [:]
    while let found = try cursor.next() {
      for (key, coverage) in found { total[key, default: Coverage()].include(coverage) }
    }
    return total.map { (store.database.symbols.text($0.subject), $0.type, $1) }
      .sorted { ($0.0, $0.1) < ($1.0, $1.1) }
  }
}

/// The table `subjects`, with each subject that has samples.
struct SubjectsTable: ListTable {
  let name = "subjects"
  let columns = [
    Column("subject", .text), Column("samples", .integer), Column("first", .real),
    Column("last", .real),
  ]

  func list(
    _ request: CursorRequest, subjects: Set<String>?, _ store: Store, _ snapshot: Snapshot
  ) throws -> List {
    let found = try Coverage.all(of: subjects, bySource: false, store, snapshot)
    return List(columns: [
      .text(found.map(\.subject)), .integer(found.map { Int64($0.coverage.count) }),
      .date(found.map(\.coverage.first)), .date(found.map(\.coverage.last)),
    ])
  }
}

/// The table `sources`, with each source revision that has samples, by subject.
struct SourcesTable: ListTable {
  let name = "sources"
  let columns = [
    Column("subject", .text), Column("name", .text), Column("bundle_identifier", .text),
    Column("version", .text), Column("product_type", .text), Column("operating_system", .text),
    Column("samples", .integer), Column("first", .real), Column("last", .real),
  ]

  func list(
    _ request: CursorRequest, subjects: Set<String>?, _ store: Store, _ snapshot: Snapshot
  ) throws -> List {
    let found = try Coverage.all(of: subjects, bySource: true, store, snapshot)
    let revisions = found.map { store.reader.sourceRevision($0.source) }
    func text(_ text: String?) -> String? { text?.isEmpty == true ? nil : text }
    return List(columns: [
      .text(found.map(\.subject)), .text(revisions.map { text($0.source.name) }),
      .text(revisions.map { text($0.source.bundleIdentifier) }),
      .text(revisions.map { text($0.version) }), .text(revisions.map { text($0.productType) }),
      .text(
        revisions.map {
          let system = $0.operatingSystemVersion
          let numbers = [system.majorVersion, system.minorVersion, system.patchVersion]
          return numbers == [0, 0, 0] ? nil : numbers.map(String.init).joined(separator: ".")
        }),
      .integer(found.map { Int64($0.coverage.count) }), .date(found.map(\.coverage.first)),
      .date(found.map(\.coverage.last)),
    ])
  }
}
