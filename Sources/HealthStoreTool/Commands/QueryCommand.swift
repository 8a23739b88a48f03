import SampleLog

/// `healthstore query`: prints samples.
struct QueryCommand: Command {
  static let usage = CommandUsage(
    name: "query", summary: "Prints samples in order of start.",
    store: .using,
    options: SampleChoice.options + [
      .init(name: "--limit", value: "N", help: "The maximum number of samples; default: all."),
      .init(name: "--latest", help: "Prints the latest samples first."),
      OutputFormat.option(), .spreadsheet,
    ],
    notes: [
      "Times are ISO 8601, such as 2024-03-01 or 2024-03-01T08:30:00+01:00; without an "
        + "offset, they are UTC. Printed times are UTC. CSV has the fields of JSON; its fields "
        + "device, metadata, objects and details contain JSON. --type activitySummary prints the "
        + "rings of each day of UTC, after the samples of other types. Samples that cannot be "
        + "read are named and left out (exit status 5)."
    ])

  /// The limit up to which all samples are selected before printing; cheaper than streaming.
  private static let fewSamples = 8192

  private let store: String
  private let choice: SampleChoice
  private let limit: Int?
  private let isLatestFirst: Bool
  private let format: OutputFormat
  private let forSpreadsheet: Bool

  init(_ arguments: ParsedArguments) throws {
    store = try arguments.store()
    choice = try SampleChoice(arguments)
    limit = try arguments.count("--limit")
    isLatestFirst = arguments.has("--latest")
    format = try arguments.choice("--format", default: .table)
    forSpreadsheet = try arguments.wantsSpreadsheet(isCSV: format == .csv)
  }

  func run(_ console: Console) async throws -> ExitStatus {
    let database = try StoreOpening.reading(store)
    try choice.check(database)
    let snapshot = database.snapshot()
    choice.explainAbsence(in: snapshot, console)
    let chosen = try choice.samples(of: database, in: snapshot)
    let days = try choice.days(of: database, in: snapshot)
    let words = RowWords(database)
    let unreadable = UnreadableSamples(words.reader, console)
    var printer = RowPrinter(
      format, forSpreadsheet: forSpreadsheet, words, chosen.series, days, console.out
    ) { block, row in
      try unreadable.admits(block, row, in: snapshot)
    }
    try printer.begin()
    do {
      let left = try print(chosen, snapshot, &printer)
      for day in (isLatestFirst ? days.reversed() : days).prefix(left) { try printer.print(day) }
    } catch {
      // The output before the error is still useful.
      try printer.flush()
      throw error
    }
    try printer.end()
    return unreadable.status()
  }

  /// Prints the samples, and returns the number of records that may still be printed.
  private func print(
    _ chosen: ChosenSamples, _ snapshot: Snapshot, _ printer: inout RowPrinter
  ) throws -> Int {
    var left = limit ?? .max
    if isLatestFirst || choice.isOfIdentifiers || left <= Self.fewSamples {
      let rows = try snapshot.select(
        chosen.selection, order: .start(ascending: !isLatestFirst), limit: limit)
      try printer.print(rows)
      left -= rows.count
    } else {
      try snapshot.stream(chosen.selection) { rows in
        try printer.print(rows, limit: left)
        left -= min(left, rows.count)
        return left > 0
      }
    }
    return left
  }
}
