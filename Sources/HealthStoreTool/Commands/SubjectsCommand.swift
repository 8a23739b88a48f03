import SampleLog

/// `healthstore subjects`: lists the subjects of a store.
struct SubjectsCommand: Command {
  static let usage = CommandUsage(
    name: "subjects", summary: "Lists the subjects of a store, with their numbers of samples.",
    store: .using,
    options: [OutputFormat.option(), .spreadsheet],
    notes: [
      "BYTES counts the samples in segments, and excludes those in logs. Subjects are "
        + "compared and sorted byte by byte; the one with the empty name is first."
    ])

  private let store: String
  private let format: OutputFormat
  private let forSpreadsheet: Bool

  init(_ arguments: ParsedArguments) throws {
    store = try arguments.store()
    format = try arguments.choice("--format", default: .table)
    forSpreadsheet = try arguments.wantsSpreadsheet(isCSV: format == .csv)
  }

  func run(_ console: Console) async throws -> ExitStatus {
    let database = try StoreOpening.reading(store)
    var list = RecordList([
      ("subject", .left), ("samples", .right), ("bytes", .right), ("first", .left),
      ("last", .left),
    ])
    for one in try database.snapshot().subjects() {
      list.add([
        .text(database.symbols.text(one.subject)), .count(one.sampleCount), .count(one.byteCount),
        .text(UTCText.text(one.firstStart)), .text(UTCText.text(one.lastEnd)),
      ])
    }
    try console.report(text: list.text(format, forSpreadsheet: forSpreadsheet))
    return .good
  }
}
