import AppleHealthExport
import HealthStore
import SampleLog

/// An export to a folder in the format of Apple Health.
struct AppleExport {
  private let path: String
  private let subject: String
  private let options: ExportWriter.Options

  init(_ arguments: ParsedArguments) throws {
    guard let path = arguments.positional.first else {
      throw arguments.error("The argument PATH is missing: an export of Apple's is a folder")
    }
    for name in ["--type", "--from", "--to", "--after", "--all-subjects"] where arguments.has(name)
    {
      throw arguments.error(
        "An export of Apple's has everything of one subject, so it takes no \(name)")
    }
    guard arguments.all("--subject").count <= 1 else {
      throw arguments.error("An export of Apple's is of one subject")
    }
    self.path = path
    subject = arguments["--subject"] ?? ""
    var options = ExportWriter.Options(isPlain: arguments.has("--plain"))
    if let date = try arguments.time("--date") { options.date = date }
    self.options = options
  }

  func run(_ database: Database, _ store: String, _ console: Console) throws -> ExitStatus {
    try Paths.requireOutside(path, of: store)
    let health = HKHealthStore(database: database, subject: subject)
    let summary = try ExportWriter(from: health, options: options).write(to: path)
    try console.report(lines(summary))
    let unreadable = UnreadableSamples(RowWords(database).reader, console)
    for sentence in summary.unreadable { unreadable.note(sentence) }
    return unreadable.status()
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
