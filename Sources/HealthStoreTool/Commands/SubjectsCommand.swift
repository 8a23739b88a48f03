import SampleLog

/// `healthstore subjects`: lists the subjects of a store.
struct SubjectsCommand: Command {
  static let usage = CommandUsage(
    name: "subjects", summary: "Lists whose samples a store has, and how many.",
    store: .using,
    options: [OutputFormat.option(), .spreadsheet],
    notes: [
      "BYTES are those of the samples in files that are sealed; what is still in logs counts none. "
        + "Subjects are told apart byte by byte and are in that order; the one without a name is "
        + "first."
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
