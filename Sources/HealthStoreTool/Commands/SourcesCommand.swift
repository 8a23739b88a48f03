import HealthStore
import SampleLog

/// `healthstore sources`: lists what recorded the samples of a store.
struct SourcesCommand: Command {
  static let usage = CommandUsage(
    name: "sources", summary: "Lists the sources of samples, with how many and from when.",
    store: .using,
    options: [
      .type("Samples of this type only; may be repeated."),
      .subject("Samples of this subject only; may be repeated."),
      .from, .to, OutputFormat.option(),
    ],
    notes: [
      "A source is an app or a device, by its bundle identifier and name; its versions are one. "
        + "Each subject's are counted apart."
    ])

  private let store: String
  private let types: [String]
  private let subjects: [String]
  private let filter: RowFilter
  private let format: OutputFormat

  private struct Key: Hashable {
    var subject: Symbol
    var source: HKSource
  }

  private struct Figure {
    var count = 0
    var first = Double.infinity
    var last = -Double.infinity

    mutating func include(_ other: Figure) {
      count += other.count
      first = min(first, other.first)
      last = max(last, other.last)
    }
  }

  init(_ arguments: ParsedArguments) throws {
    store = try arguments.store()
    types = try arguments.all("--type").map { try TypeArgument.identifier($0) }
    subjects = arguments.all("--subject")
    var filter = RowFilter()
    filter.start = try arguments.dates()
    self.filter = filter
    format = try arguments.choice("--format", default: .table)
  }

  func run(_ console: Console) async throws -> ExitStatus {
    let database = try StoreOpening.reading(store)
    try TypeArgument.check(types, in: database)
    let symbols = database.symbols
    var list = RecordList([
      ("subject", .left), ("source", .left), ("bundleIdentifier", .left), ("samples", .right),
      ("first", .left), ("last", .left),
    ])
    let found = try figures(database).map { key, figure in
      (
        order: [symbols.text(key.subject), key.source.name, key.source.bundleIdentifier],
        figure: figure
      )
    }
    for (order, figure) in found.sorted(by: { $0.order.lexicographicallyPrecedes($1.order) }) {
      list.add(
        order.map { .text($0) } + [
          .count(figure.count), .text(UTCText.text(figure.first)),
          .text(UTCText.text(figure.last)),
        ])
    }
    try console.report(text: list.text(format))
    return .good
  }

  private struct Origin: Hashable {
    var subject: Symbol
    var source: Symbol
  }

  private func figures(_ database: Database) throws -> [Key: Figure] {
    let snapshot = database.snapshot()
    let symbols = database.symbols
    let series = snapshot.series.filter { key in
      !symbols.isOwnedType(key.type)
        && (types.isEmpty || types.contains(symbols.text(key.type)))
        && (subjects.isEmpty || subjects.contains(symbols.text(key.subject)))
    }
    let reader = RowReader(database)
    var result: [Key: Figure] = [:]
    try snapshot.scan(series, where: filter, columns: [.source, .start, .end]) { block, rows in
      // Blocks mostly have one source or two, in runs.
      var figures: [Origin: (row: Int, figure: Figure)] = [:]
      for row in rows.lazy.map(Int.init) {
        let one = Figure(count: 1, first: block.start[row], last: block.end[row])
        let origin = Origin(subject: block.subject(at: row), source: block.source[row])
        figures[origin, default: (row, Figure())].figure.include(one)
      }
      for (origin, (row, figure)) in figures {
        let source = reader.sourceRevision(of: RowReference(block, row)).source
        result[Key(subject: origin.subject, source: source), default: Figure()].include(figure)
      }
      return true
    }
    return result
  }
}
