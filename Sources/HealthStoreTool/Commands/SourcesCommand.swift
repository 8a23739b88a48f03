import HealthStore
import SampleLog

/// `healthstore sources`: lists the sources of a store's samples.
struct SourcesCommand: Command {
  static let usage = CommandUsage(
    name: "sources", summary: "Lists the sources of samples, with counts and dates.",
    store: .using,
    options: [
      .type("Samples of this type only; may be repeated."),
      .subject("Samples of this subject only; may be repeated."),
      .from, .to, OutputFormat.option(), .spreadsheet,
    ],
    notes: [
      "A source is an app or a device, identified by its bundle identifier and name; its "
        + "versions are one source. Sources are counted separately for each subject."
    ])

  private let store: String
  private let types: [String]
  private let subjects: [String]
  private let filter: RowFilter
  private let format: OutputFormat
  private let forSpreadsheet: Bool

  init(_ arguments: ParsedArguments) throws {
    store = try arguments.store()
    types = try arguments.all("--type").map { try TypeArgument.identifier($0) }
    subjects = arguments.all("--subject")
    var filter = RowFilter()
    filter.start = try arguments.dates()
    self.filter = filter
    format = try arguments.choice("--format", default: .table)
    forSpreadsheet = try arguments.wantsSpreadsheet(isCSV: format == .csv)
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
    try console.report(text: list.text(format, forSpreadsheet: forSpreadsheet))
    return .good
  }

  private func figures(
    _ database: Database
  ) throws -> [SourceFigures.Key: SourceFigures.Figure] {
    let symbols = database.symbols
    let series = database.snapshot().series.filter { key in
      !symbols.isChildType(key.type)
        && (types.isEmpty || types.contains(symbols.text(key.type)))
        && (subjects.isEmpty || subjects.contains(symbols.text(key.subject)))
    }
    return try SourceFigures(of: series, where: filter, in: database).figures
  }
}
