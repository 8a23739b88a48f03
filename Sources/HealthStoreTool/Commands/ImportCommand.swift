import AppleHealthExport
import Foundation
import HealthStore
import SampleLog

/// `healthstore import`: reads an Apple Health export into a store.
struct ImportCommand: Command {
  static let usage = CommandUsage(
    name: "import", summary: "Reads an Apple Health export into a store.",
    arguments: [
      .init(name: "PATH", help: "export.xml, its folder, the .zip, or - for standard input.")
    ],
    options: [
      .init(
        name: "--store", value: "DIR", help: "The store's directory; made if need be.",
        isRequired: true),
      .init(name: "--subject", value: "NAME", help: "Whose data it is; nobody's name if absent."),
    ],
    notes: [
      "Reading the same export again, or a later one of the same phone, adds only what is new. "
        + "What the store cannot hold, such as workouts, is left out, counted and named. An import "
        + "that was interrupted is completed by running it again."
    ])

  private let path: String
  private let store: String
  private let subject: String

  init(_ arguments: ParsedArguments) throws {
    path = arguments.positional[0]
    store = try arguments.required("--store")
    subject = arguments["--subject"] ?? ""
  }

  func run(_ console: Console) async throws -> ExitStatus {
    // First the export: a mistyped name must not make an empty store.
    let input = try ExportSource.open(path)
    let database = try StoreOpening.filling(store)
    var progress = ProgressLine(console.error)
    let summary: ImportSummary
    do {
      let store = HKHealthStore(database: database, subject: subject)
      summary = try Self.read(input, into: store, &progress)
      progress.clear()
    } catch {
      progress.clear()
      try? database.close()
      throw error
    }
    try database.close()
    for line in ImportReport(summary, seconds: progress.elapsed).lines {
      try console.out.line(line)
    }
    return .good
  }

  /// Imports a document and shows how far it is.
  static func read(
    _ input: any ExportInput, into store: HKHealthStore, _ progress: inout ProgressLine
  ) throws -> ImportSummary {
    let box = Box(progress)
    defer { progress = box.value }
    let reader = ExportReader(input, reportingEvery: 1000) { done in
      let fraction = done.totalBytes.map { $0 > 0 ? Double(done.bytes) / Double($0) : 1 }
      box.value.show(fraction: fraction, count: done.records)
    }
    return try ExportImporter(into: store).run(reader)
  }

  /// Lends a value to a closure that outlives the call.
  private final class Box<Value> {
    var value: Value

    init(_ value: Value) { self.value = value }
  }
}
