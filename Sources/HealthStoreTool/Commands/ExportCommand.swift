import HealthStore
import SampleLog

/// `healthstore export`: writes the data of a store for other programs.
struct ExportCommand: Command {
  static let usage = CommandUsage(
    name: "export", summary: "Writes the data of a store for other programs.",
    store: .using,
    arguments: [
      .init(
        name: "PATH",
        help: "For --format apple, a directory that does not exist or is empty; other "
          + "formats go to standard output.", isOptional: true)
    ],
    options: [
      .init(
        name: "--format", value: "FORMAT",
        help: "csv or jsonl (for `healthstore ingest`), parquet or arrow (DuckDB, pandas, "
          + "Polars), sql (SQLite and PostgreSQL), influx (line protocol), fhir (R4 Observations) "
          + "or apple (for `healthstore import`).",
        isRequired: true, choices: Format.allCases.map(\.rawValue)),
      .type("Samples of this type only; may be repeated."),
      .subject("The subject; the one with the empty name if absent. May be repeated."),
      .init(name: "--all-subjects", help: "Data of all subjects, in place of --subject."),
      .from, .to,
      .init(
        name: "--after", value: "ANCHOR",
        help: "Only additions and deletions since the export that ended with this anchor."),
      AnchorWait.option, .spreadsheet,
      .init(
        name: "--plain",
        help: "For apple: leaves out the attributes of this program, and counts the losses."),
      .init(
        name: "--date", value: "TIME",
        help: "For apple: the date of the export; default: now."),
    ],
    notes: [
      "All formats except apple are written to standard output, type by type in order of "
        + "start. Once everything is written, the line `anchor ANCHOR` is printed on standard "
        + "error, for --after of the next export or of `healthstore changes`. Deleted samples "
        + "are lines of their own in csv and jsonl, rows in parquet and arrow, DELETE statements "
        + "in sql and Observations entered-in-error in fhir; influx and apple cannot express "
        + "deletions and take no --after.",
      "Activity summaries of all chosen days follow the samples in every export; --type "
        + "activitySummary exports them alone. A spreadsheet interprets text such as =1+1 as a "
        + "formula; --spreadsheet prevents that, but its CSV is not for `ingest`.",
      "In apple, attributes of this program hold data that Apple's format cannot represent; "
        + "with them, `healthstore import` restores the same store. The same store and --date "
        + "give the same bytes. The document is named export.xml only once everything is written "
        + "and durable.",
      "Exit status: 0 written, 1 failed, 2 a directory that cannot be used, 3 the export "
        + "could not be written, 5 a damaged sample or store, 7 a replica has not reached the "
        + "anchor. Samples that cannot be read are named and left out.",
    ])

  private enum Format: String, CaseIterable {
    case csv, jsonl, parquet, arrow, sql, influx, fhir, apple

    /// Whether the format is binary, so it is not written to a terminal.
    var isBinary: Bool { self == .parquet || self == .arrow }
  }

  private let store: String
  private let format: Format
  private let export: SampleExport
  private let wait: AnchorWait
  private let apple: AppleExport?
  private let forSpreadsheet: Bool

  init(_ arguments: ParsedArguments) throws {
    store = try arguments.store()
    format = try arguments.choice("--format", default: Format.apple)
    if arguments.has("--subject"), arguments.has("--all-subjects") {
      throw arguments.error("The options --subject and --all-subjects exclude each other")
    }
    let subjects = arguments.all("--subject")
    apple = format == .apple ? try AppleExport(arguments) : nil
    if apple == nil {
      for name in ["--plain", "--date"] where arguments.has(name) {
        throw arguments.error("The option \(name) is of --format apple only")
      }
      if let path = arguments.positional.first {
        throw arguments.error(
          "\(format.rawValue) goes to standard output and not to \(path); use >")
      }
    }
    var filter = RowFilter()
    filter.start = try arguments.dates()
    let types = try arguments.all("--type").map(TypeArgument.identifier)
    let chosen = subjects.isEmpty ? (arguments.has("--all-subjects") ? nil : [""]) : subjects
    let hasDays = types.isEmpty || types.contains(ActivityDay.type)
    export = SampleExport(
      types: types, subjects: chosen, filter: filter,
      days: hasDays
        ? ActivityDays(
          subjects: chosen, from: try arguments.time("--from"), to: try arguments.time("--to"))
        : nil,
      anchor: try arguments.anchor("--after"))
    wait = try AnchorWait(arguments)
    forSpreadsheet = try arguments.wantsSpreadsheet(isCSV: format == .csv)
    if format == .influx, export.anchor != nil {
      throw arguments.error(
        "Line protocol cannot say that samples are gone, so influx takes no --after; export the "
          + "time again with --from, into an empty measurement")
    }
  }

  func run(_ console: Console) async throws -> ExitStatus {
    if format.isBinary, console.out.isTerminal {
      throw Failure(
        "\(format.rawValue) is not for a terminal; send it to a file with >", status: .unusable)
    }
    let database = try wait.reading(store, reaching: export.anchor ?? .beginning)
    if let apple { return try apple.run(database, store, console) }
    try TypeArgument.check(export.types, in: database)
    let snapshot = database.snapshot()
    let writer = writer(database, snapshot, ExportSink(console.out))
    let reader = RowWords(database).reader
    let unreadable = UnreadableSamples(reader, readsPoints: true, console)
    let anchor = try export.run(database, snapshot, writer) {
      try unreadable.admits($0, $1, in: snapshot)
    }
    for loss in writer.losses { console.note(loss) }
    console.say("anchor \(AnchorText.text(of: anchor))")
    return unreadable.status()
  }

  private func writer(
    _ database: Database, _ snapshot: Snapshot, _ sink: ExportSink
  ) -> any SampleWriter {
    let words = RowWords(database)
    let objects = StoredObjects(words.reader, snapshot)
    return switch format {
    case .csv, .jsonl, .apple:
      RowTextWriter(
        isCSV: format == .csv, forSpreadsheet: forSpreadsheet, hasKinds: export.anchor != nil,
        words, objects, sink)
    case .parquet:
      TableWriter(ParquetFile(), hasKinds: export.anchor != nil, words, objects, sink)
    case .arrow:
      // Smaller than a row group: batches are not compressed, and readers load one at a time.
      TableWriter(
        ArrowStream(), hasKinds: export.anchor != nil,
        limits: SampleTable.Limits(rowCount: 1 << 15), words, objects, sink)
    case .sql: SQLWriter(words, objects, sink)
    case .influx: LineProtocolWriter(words, objects, sink)
    case .fhir: FHIRWriter(words, objects, types: export.types, sink)
    }
  }
}
