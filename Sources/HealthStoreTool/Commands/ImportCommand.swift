import AppleHealthExport
import Foundation
import HealthStore
import SampleLog

/// `healthstore import`: reads an Apple Health export into a store.
struct ImportCommand: Command {
  static let usage = CommandUsage(
    name: "import", summary: "Imports an Apple Health export into a store.",
    store: .using,
    arguments: [
      .init(name: "PATH", help: "export.xml, its folder, the .zip, or - for standard input.")
    ],
    options: [
      .init(
        name: "--subject", value: "NAME",
        help: "The subject of the data; the one with the empty name if absent.")
    ],
    notes: [
      "The store is created if it does not exist. Importing the same export again, or a "
        + "later one of the same phone, adds only new data, even if the phone writes other units "
        + "or names. A later version of a sample with a sync identifier replaces it. Only "
        + "regular files inside the folder are read. Data that the store cannot hold is left "
        + "out, counted and named. To complete an interrupted import, run it again.",
      "Exit status: 0 imported; 1 failed; 2 a file or directory that cannot be used; 4 the "
        + "export is cut short; 5 a damaged archive or store; 6 parts of the export are "
        + "malformed, unknown or above a limit, or data follows its end. With 4 and 6, "
        + "everything else was imported.",
    ])

  private let path: String
  private let store: String
  private let subject: String

  init(_ arguments: ParsedArguments) throws {
    path = arguments.positional[0]
    store = try arguments.store()
    subject = arguments["--subject"] ?? ""
    guard subject.utf8.count <= StoreLimit.nameBytes.maximum else {
      throw arguments.error(
        "The name after --subject has more than \(StoreLimit.nameBytes.maximum) bytes")
    }
  }

  func run(_ console: Console) async throws -> ExitStatus {
    try run(console, Interruption())
  }

  func run(_ console: Console, _ interruption: Interruption) throws -> ExitStatus {
    // The export is opened first, because a mistyped name must not create an empty store.
    let work = try ImportWork(path, console.error) { interruption.isAsked }
    do {
      try work.begin()
    } catch ExportError.cancelled {
      throw Self.failure(interruption)
    }
    let report = try StoreOpening.filling(store, console) { database in
      do {
        let health = HKHealthStore(database: database, subject: subject)
        let summary = try work.run(into: health) { interruption.isAsked }
        return ImportReport(summary, seconds: work.elapsed)
      } catch let error as ExportError {
        // The samples before the error were imported, so they are reported.
        if let summary = work.summary, summary.added + summary.known > 0 {
          try console.report(ImportReport(summary, seconds: work.elapsed).lines)
        }
        if error == .cancelled { throw Self.failure(interruption) }
        throw error
      }
    }
    try console.report(report.lines)
    for warning in report.warnings { console.note(warning) }
    return report.status
  }

  private static func failure(_ interruption: Interruption) -> Failure {
    interruption.failure("what was read of the export is in the store")
  }
}
