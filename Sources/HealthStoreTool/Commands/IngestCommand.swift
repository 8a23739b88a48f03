import AppleHealthExport
import Foundation
import HealthStore
import SampleLog

/// `healthstore ingest`: reads CSV or JSON lines into a store.
struct IngestCommand: Command {
  static let usage = CommandUsage(
    name: "ingest", summary: "Reads samples as CSV or JSON lines into a store.",
    store: .using,
    arguments: [
      .init(name: "PATH", help: "A file, or - for standard input.")
    ],
    options: [
      .init(
        name: "--format", value: "FORMAT",
        help: "csv, with a line of titles, or jsonl; if absent, the first character tells.",
        choices: RecordReader.Format.allCases.map(\.rawValue)),
      .init(
        name: "--subject", value: "NAME",
        help: "The subject of samples without a field subject; the unnamed one if absent."),
      .init(
        name: "--from-line", value: "N",
        help: "Leaves out what is before that line, but for the titles of CSV."),
    ],
    notes: [
      "The fields are those that `healthstore export --format csv` and jsonl write, which "
        + "Docs/tool.md describes: type and start, and for a quantity value and unit, are needed. "
        + "A sample needs a uuid or metadata with HKMetadataKeySyncIdentifier and "
        + "HKMetadataKeySyncVersion, so that reading it again adds nothing. Samples of what "
        + "`healthstore changes` prints are added and deleted alike.",
      "The store is made if there is none. Each 10,000 samples are one commit. The first line that "
        + "makes no sense ends the work: a message names it, and the line to go on from with "
        + "--from-line; everything before that is saved.",
      "Exit status: 0 everything is saved, 2 a line makes no sense or something cannot be used, "
        + "130 and 143 interrupted, 5 a damaged store, 1 failed.",
    ])

  private let path: String
  private let store: String
  private let format: RecordReader.Format?
  private let subject: String
  private let firstLine: Int

  init(_ arguments: ParsedArguments) throws {
    path = arguments.positional[0]
    store = try arguments.store()
    format =
      try arguments["--format"].map { _ in
        try arguments.choice("--format", default: RecordReader.Format.jsonl)
      }
    subject = try Ingestion.subject(arguments)
    firstLine = try arguments.count("--from-line") ?? 1
  }

  func run(_ console: Console) async throws -> ExitStatus {
    try run(console, Interruption())
  }

  func run(_ console: Console, _ interruption: Interruption) throws -> ExitStatus {
    // The input is opened first, because a mistyped name must not create an empty store.
    let input = try interruption.input(path)
    let reader: RecordReader
    do {
      reader = try Ingestion.reader(input, format)
    } catch ExportError.cancelled {
      throw Self.failure(interruption, resume: firstLine)
    }
    let summary = try StoreOpening.filling(store, console) { database in
      WorkoutRecount.addCommitHook(to: database)
      var ingestion = Ingestion(reader, into: database, subject: subject, from: firstLine)
      try work(&ingestion, input.byteCount, console, interruption)
      return ingestion.summary
    }
    try console.report([summary.text])
    return .good
  }

  private func work(
    _ ingestion: inout Ingestion, _ byteCount: Int64?, _ console: Console,
    _ interruption: Interruption
  ) throws {
    var progress = ProgressLine(console.error)
    defer { progress.clear() }
    do {
      let isWhole = try ingestion.run {
        interruption.isAsked
      } report: { ingestion in
        let (count, bytes) = ingestion.progress
        progress.show(
          fraction: byteCount.map { $0 > 0 ? Double(bytes) / Double($0) : 1 }, count: count)
      }
      guard !isWhole else { return }
      progress.clear()
      throw Self.failure(interruption, resume: ingestion.resume)
    } catch let failure as Failure {
      throw failure
    } catch {
      progress.clear()
      throw ingestion.failure(error, from: firstLine) { "go on with --from-line \($0)" }
    }
  }

  private static func failure(_ interruption: Interruption, resume line: Int) -> Failure {
    interruption.failure(
      "everything before line \(line) is saved", advice: "go on with --from-line \(line)")
  }
}
