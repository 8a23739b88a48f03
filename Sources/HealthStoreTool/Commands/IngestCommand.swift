import AppleHealthExport
import Foundation
import HealthStore
import SampleLog

/// `healthstore ingest`: reads CSV or JSON lines into a store.
struct IngestCommand: Command {
  static let usage = CommandUsage(
    name: "ingest", summary: "Imports samples from CSV or JSON lines into a store.",
    store: .using,
    arguments: [
      .init(name: "PATH", help: "A file, or - for standard input.")
    ],
    options: [
      .init(
        name: "--format", value: "FORMAT",
        help: "csv, with a header line, or jsonl; by default, the first character decides.",
        choices: RecordReader.Format.allCases.map(\.rawValue)),
      .init(
        name: "--subject", value: "NAME",
        help: "The subject of samples without the field subject; the one with the empty "
          + "name if absent."),
      .init(
        name: "--from-line", value: "N",
        help: "Skips the lines before line N, except the header of CSV."),
    ],
    notes: [
      "The fields are those that `healthstore export` writes as csv and jsonl; Docs/tool.md "
        + "describes them. The fields type and start are required, and for a quantity value and "
        + "unit. A sample needs a uuid, or metadata with HKMetadataKeySyncIdentifier and "
        + "HKMetadataKeySyncVersion, so that reading it again adds nothing. Lines printed by "
        + "`healthstore changes` are applied as additions and deletions.",
      "The store is created if it does not exist. Each 10,000 samples are one commit. The "
        + "first invalid line ends the command. The message names that line and the line to "
        + "resume from with --from-line; everything before the latter is saved.",
      "Exit status: 0 everything is saved, 1 failed, 2 an invalid line, or a file or "
        + "directory that cannot be used, 5 a damaged store, 130 and 143 interrupted.",
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
