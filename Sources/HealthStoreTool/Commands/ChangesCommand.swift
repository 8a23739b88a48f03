import Foundation
import HealthStore
import SampleLog

/// `healthstore changes`: prints what was added and deleted since an anchor.
struct ChangesCommand: Command {
  static let usage = CommandUsage(
    name: "changes", summary: "Prints the additions and deletions since an anchor, in order.",
    store: .using,
    options: [
      .init(
        name: "--after", value: "ANCHOR",
        help: "An anchor that was printed earlier; default: the beginning."),
      AnchorWait.option,
      .init(
        name: "--type", value: "TYPE", help: "Changes of this type only; may be repeated.",
        isRepeatable: true),
      .init(name: "--subject", value: "NAME", help: "Changes of this subject only."),
      .init(name: "--limit", value: "N", help: "The maximum number of changes."),
      .init(name: "--follow", help: "Waits for further changes until interrupted."),
      OutputFormat.option(standard: .jsonl), .spreadsheet,
    ],
    notes: [
      #"Each line is {"kind":"added",...} or {"kind":"deleted",...}; the last line is "#
        + #"{"anchor":"..."}, for --after. {"kind":"erased","subject":...} reports that all data "#
        + "of a subject was erased. With --follow, an anchor is printed after each batch of "
        + "changes. A sample that was added and deleted since the anchor appears only as its "
        + "deletion. CSV has the field kind, the fields of `query`, and the field anchor. "
        + "Samples that cannot be read are named and left out (exit status 5). A replica that "
        + "has not reached the anchor says so (exit status 7)."
    ])

  private let store: String
  private let anchor: Anchor
  private let wait: AnchorWait
  private let types: [String]
  private let subject: String?
  private let limit: Int?
  private let isFollowing: Bool
  private let format: OutputFormat
  private let forSpreadsheet: Bool

  init(_ arguments: ParsedArguments) throws {
    store = try arguments.store()
    types = try arguments.all("--type").map(TypeArgument.identifier)
    subject = arguments["--subject"]
    limit = try arguments.count("--limit")
    isFollowing = arguments.has("--follow")
    format = try arguments.choice("--format", default: .jsonl)
    forSpreadsheet = try arguments.wantsSpreadsheet(isCSV: format == .csv)
    if isFollowing, format == .json {
      throw arguments.error("An array of JSON does not end with --follow; use --format jsonl")
    }
    anchor = try arguments.anchor("--after") ?? .beginning
    wait = try AnchorWait(arguments)
  }

  func run(_ console: Console) async throws -> ExitStatus {
    let database = try wait.reading(store, reaching: anchor)
    try TypeArgument.check(types, in: database)
    var printer = try ChangePrinter(
      database, after: anchor, types: types, subject: subject, left: limit ?? .max,
      format: format, forSpreadsheet: forSpreadsheet, console: console)
    try printer.begin()
    try printer.printNew()
    try printer.printAnchor()
    guard isFollowing else {
      try printer.end()
      return printer.status()
    }
    while printer.left > 0, console.out.isOpen {
      // The timeout limits how long the process can outlive the reader of its output.
      guard try database.waitForChange(atMost: .milliseconds(200)) else { continue }
      if try printer.printNew() { try printer.printAnchor() }
    }
    return printer.status()
  }
}
