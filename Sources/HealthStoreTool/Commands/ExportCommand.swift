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
        help: "A directory that does not exist or is empty, of --format apple; the others go to "
          + "standard output.", isOptional: true)
    ],
    options: [
      .init(
        name: "--format", value: "FORMAT",
        help: "csv or jsonl (for `healthstore ingest`), sql (SQLite and PostgreSQL), influx (line "
          + "protocol), fhir (R4 Observations) or apple (for `healthstore import`).",
        isRequired: true, choices: Format.allCases.map(\.rawValue)),
      .type("Samples of this type only; may be repeated."),
      .subject("The subject of the data; the unnamed one if absent. May be repeated."),
      .init(name: "--all-subjects", help: "Everybody's data, in place of --subject."),
      .from, .to,
      .init(
        name: "--after", value: "ANCHOR",
        help: "Only what was added and deleted since an export that ended with this anchor."),
      .spreadsheet,
      .init(
        name: "--plain",
        help: "Of apple: leaves out the attributes of this program's own, and counts losses."),
      .init(
        name: "--date", value: "TIME",
        help: "Of apple: when the export is said to be made; now if absent."),
    ],
    notes: [
      "All but apple write to standard output, type by type in order of start, and the line "
        + "`anchor ANCHOR` to standard error once everything is written: that is for --after of "
        + "the next export. `healthstore changes` takes it, too. Samples that went since are a "
        + "line of their own in csv and jsonl, DELETE in sql and entered-in-error in fhir; influx "
        + "and apple cannot say it and take no --after.",
      "Activity summaries are written behind the samples, all of the chosen days each time; "
        + "--type activitySummary writes them alone. Before --spreadsheet, know that a spreadsheet "
        + "takes a text such as =1+1 for a formula; with it, the CSV is not for `ingest`.",
      "Attributes of this program's own in apple say what Apple's format has no words for: with "
        + "them `healthstore import` makes the same store. The same store and --date give the same "
        + "bytes. The document is called export.xml only when everything is written and durable.",
      "Exit status: 0 written, 2 a directory that cannot be used, 3 the export could not be "
        + "written, 5 a sample or the store is damaged, 1 failed. Samples that cannot be read are "
        + "named and left out.",
    ])

  private enum Format: String, CaseIterable { case csv, jsonl, sql, influx, fhir, apple }

  private let store: String
  private let format: Format
  private let export: SampleExport
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
    forSpreadsheet = try arguments.wantsSpreadsheet(isCSV: format == .csv)
    if format == .influx, export.anchor != nil {
      throw arguments.error(
        "Line protocol cannot say that samples are gone, so influx takes no --after; export the "
          + "time again with --from, into an empty measurement")
    }
  }

  func run(_ console: Console) async throws -> ExitStatus {
    let database = try StoreOpening.reading(store)
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
    case .sql: SQLWriter(words, objects, sink)
    case .influx: LineProtocolWriter(words, objects, sink)
    case .fhir: FHIRWriter(words, objects, types: export.types, sink)
    }
  }
}
