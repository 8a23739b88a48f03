import AppleHealthExport
import HealthStore
import SampleLog

/// `healthstore export`: writes the data of a store in Apple's format.
struct ExportCommand: Command {
  static let usage = CommandUsage(
    name: "export", summary: "Writes the data of a store in the format of Apple Health's exports.",
    store: .using,
    arguments: [
      .init(name: "PATH", help: "A directory that does not exist or is empty.")
    ],
    options: [
      .init(name: "--format", value: "FORMAT", help: "apple, the only one.", isRequired: true),
      .init(name: "--subject", value: "NAME", help: "Whose data it is; nobody's name if absent."),
      .init(
        name: "--plain", help: "Leaves out the attributes of this program's own, and counts losses."
      ),
      .init(
        name: "--date", value: "TIME", help: "When the export is said to be made; now if absent."),
    ],
    notes: [
      "Attributes of this program's own say what Apple's format has no words for: with them "
        + "`healthstore import` makes the same store. The same store and --date give the same "
        + "bytes. The document is called export.xml only when everything is written and durable.",
      "Exit status: 0 written, 2 a directory that cannot be used, 3 the export could not be "
        + "written, 5 a damaged store, 1 failed.",
    ])

  private enum Format: String, CaseIterable { case apple }

  private let path: String
  private let store: String
  private let subject: String
  private let options: ExportWriter.Options

  init(_ arguments: ParsedArguments) throws {
    path = arguments.positional[0]
    store = try arguments.store()
    _ = try arguments.choice("--format", default: Format.apple)
    subject = arguments["--subject"] ?? ""
    var options = ExportWriter.Options(isPlain: arguments.has("--plain"))
    if let date = try arguments.time("--date") { options.date = date }
    self.options = options
  }

  func run(_ console: Console) async throws -> ExitStatus {
    let database = try StoreOpening.reading(store)
    try Paths.requireOutside(path, of: store)
    let health = HKHealthStore(database: database, subject: subject)
    let summary = try ExportWriter(from: health, options: options).write(to: path)
    try console.report(lines(summary))
    return .good
  }

  private func lines(_ summary: WritingSummary) -> [String] {
    var lines = [
      "\(Figures.count(summary.written)) objects written: \(Figures.count(summary.fileCount)) "
        + "\(summary.fileCount == 1 ? "file" : "files"), \(Figures.count(summary.byteCount)) bytes"
    ]
    lines += section(
      "Not written, because Apple's format has no words for them:",
      summary.unrepresented.map { (HKSampleType.shortName(ofIdentifier: $0.key), $0.value) })
    lines += section(
      "Lost of what was written, and of how many objects:",
      summary.losses.map { ($0.key.description, $0.value) })
    return lines
  }

  private func section(_ title: String, _ entries: [(String, Int)]) -> [String] {
    if entries.isEmpty { return [] }
    var table = TextTable([("", .right), ("", .left)])
    for (name, count) in entries.sorted(by: { $0.0 < $1.0 }) {
      table.add([Figures.count(count), name])
    }
    return ["", title] + table.lines(indent: "  ").dropFirst()
  }
}
