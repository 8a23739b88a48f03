import HealthStore
import SampleLog

/// The sample count and the date range of each source, by subject.
struct SourceFigures {
  struct Key: Hashable {
    var subject: Symbol
    var source: HKSource
  }

  struct Figure {
    var count = 0
    var first = Double.infinity
    var last = -Double.infinity

    mutating func include(_ other: Figure) {
      count += other.count
      first = min(first, other.first)
      last = max(last, other.last)
    }
  }

  private struct Origin: Hashable {
    var subject: Symbol
    var source: Symbol
  }

  private(set) var figures: [Key: Figure] = [:]

  init(of series: [SeriesKey], where filter: RowFilter, in database: Database) throws {
    let reader = RowReader(database)
    try database.snapshot().scan(series, where: filter, columns: [.source, .start, .end]) {
      block, rows in
      // Most blocks have one or two sources, so each is decoded once per block instead of per row.
      var found: [Origin: (row: Int, figure: Figure)] = [:]
      for row in rows.lazy.map(Int.init) {
        let one = Figure(count: 1, first: block.start[row], last: block.end[row])
        let origin = Origin(subject: block.subject(at: row), source: block.source[row])
        found[origin, default: (row, Figure())].figure.include(one)
      }
      for (origin, (row, figure)) in found {
        let source = reader.sourceRevision(of: Row(block, row)).source
        figures[Key(subject: origin.subject, source: source), default: Figure()].include(figure)
      }
      return true
    }
  }
}
