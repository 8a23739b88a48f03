import Foundation
import SampleLog
import SampleLogReplication

/// `healthstore erase`: removes all data of a subject, including its bytes in the files.
struct EraseCommand: Command {
  static let usage = CommandUsage(
    name: "erase", summary: "Removes all data of one subject from every file of the store.",
    store: .destroying,
    options: [
      .init(
        name: "--subject", value: "NAME",
        help: "The subject to erase; \"\" is the one with the empty name.",
        isRequired: true),
      .init(name: "--dry-run", help: "Prints what would be erased, and erases nothing."),
      .init(name: "--yes", help: "Does not ask for confirmation; required without a terminal."),
      ErasureWait.option,
    ] + StreamAccess.options + ReportFormat.options,
    notes: [
      "Removes all samples, deletions, characteristics, settings and background deliveries "
        + "of the subject, and compacts the store. Feeds of the subject end with an error; feeds "
        + "of all series report the erasure once. The record of the erasure keeps the name for "
        + "as long as deletions are remembered. Earlier backups are not changed: remove them "
        + "yourself. Neither are the sealed logs of a published store, which are kept for "
        + "replicas; the command reports how many records wait to be published. If the command "
        + "is interrupted during compaction, `healthstore compact` completes it.",
      "With --wait, the command publishes the erasure as `healthstore primary` does. Replicas "
        + "remove the data from their files and report that. Once all that reported in the last "
        + "minute have, the stream is purged of the messages before the erasure, and the sealed "
        + "logs with the data are removed. Without --wait, the next `healthstore primary` does "
        + "the same. Copies that have not confirmed the erasure in time are listed, and the exit "
        + "status is 1; `healthstore cluster` shows them later.",
    ])

  private let store: String
  private let subject: String
  private let isDry: Bool
  private let isSure: Bool
  private let isJSON: Bool
  private let wait: ErasureWait?

  init(_ arguments: ParsedArguments) throws {
    store = try arguments.store()
    subject = try arguments.required("--subject")
    isDry = arguments.has("--dry-run")
    isSure = arguments.has("--yes")
    isJSON = try arguments.wantsJSON()
    wait = try ErasureWait(arguments)
  }

  private var name: String { subject.isEmpty ? "the subject without a name" : subject }

  func run(_ console: Console) async throws -> ExitStatus {
    // Signals are caught only after the confirmation, so that they can end the prompt.
    try run(console) { Interruption() }
  }

  func run(_ console: Console, _ interruption: () -> Interruption) throws -> ExitStatus {
    let opened = try wait?.open(store, console)
    let database =
      try opened?.primary.database
      ?? (isDry ? StoreOpening.reading(store) : StoreOpening.changing(store))
    func close() throws { try opened.map { try $0.primary.close() } ?? database.close() }
    defer { StoreOpening.noteUnpublished(database, console) }
    // A subject that has only settings occurs in no row, so its name is interned.
    let symbol = database.symbols.intern(subject)
    let count =
      try database.snapshot().subjects().first { $0.subject == symbol }?.sampleCount ?? 0
    if isDry {
      try console.report([isJSON ? json("wouldErase", count, []) : "\(samples(count)) would go"])
      return .good
    }
    guard try isSure || Confirmation.isGiven("Erase \(samples(count)) for good?", console) else {
      try close()
      throw Failure("Nothing was erased.", status: .failed)
    }
    let interruption = interruption()
    let result = try database.erase(symbol)
    guard result.sequence != nil else {
      try close()
      throw Failure(
        "The store has nothing of \(name); `healthstore subjects` lists whose it has.",
        status: .failed)
    }
    var progress = ProgressLine(console.error)
    do {
      _ = try CompactCommand.compact(database, &progress) { interruption.isAsked }
    } catch StoreError.cancelled {
      try close()
      throw interruption.failure(
        "erased \(samples(count)), whose bytes are still in files",
        advice: "`healthstore compact \(store)` removes them")
    } catch {
      let cause = Failure(error)
      throw Failure(
        "\(cause.sentence) \(samples(count)) are erased, but their bytes are still in files; "
          + "`healthstore compact \(store)` removes them.", status: cause.status)
    }
    let left = try wait.flatMap { wait in
      try opened.map { try wait.copiesLeft(of: $0) { interruption.isAsked } }
    }
    try close()
    let files = try check()
    let kept = try (PosixFileSystem().list(store) ?? [])
      .filter { FileNames.sealedLogFirst($0) != nil }
    let waiting = database.unpublishedRecordCount ?? 0
    try console.report(
      isJSON
        ? [json("erased", count, files, kept: kept.sorted(), waiting: waiting, left: left)]
        : ["\(samples(count)) erased; no row of \(name) is in:"] + files.map { "  \($0)" }
          + notes(kept.count, waiting) + Self.confirmation(left)
          + ["Backups made before are not reached."])
    return left?.isEmpty ?? true ? .good : .failed
  }

  private func samples(_ count: Int) -> String {
    "\(Figures.count(count, "sample")) of \(name)"
  }

  /// Returns a note about the subject's rows in logs that are kept for replicas.
  private func notes(_ keptCount: Int, _ waiting: UInt64) -> [String] {
    if keptCount == 0 { return [] }
    let logs = Figures.count(keptCount, "sealed log")
    return [
      "\(logs) may still have rows of it: they are kept for replicas until `healthstore primary` "
        + "has published them, and up to \(Figures.count(waiting, "record")) wait."
    ]
  }

  /// Returns what is known about the other copies, or nothing if the command did not wait for them.
  private static func confirmation(_ left: [String]?) -> [String] {
    guard let left else { return [] }
    if left.isEmpty { return ["Every replica that reports and the stream have removed it."] }
    return ["Not confirmed by:"] + left.map { "  \($0.printable)" }
  }

  /// Returns the names of the files, or throws if one of them still has rows of the subject.
  private func check() throws -> [String] {
    let fileSystem = PosixFileSystem()
    let names = try (fileSystem.list(store) ?? []).filter(FileNames.isData).sorted()
    let database = try StoreOpening.reading(store)
    let symbol = database.symbols.intern(subject)
    var hasRows = database.snapshot().series.contains { $0.subject == symbol }
    for file in names where FileNames.segmentRange(file) != nil {
      let segment = try Segment(
        file: fileSystem.open(store + "/" + file, .read), name: file, symbols: database.symbols)
      hasRows = hasRows || segment.hasRows(of: symbol)
    }
    if hasRows {
      throw Failure("The files still have rows of \(name); compact again.", status: .failed)
    }
    return names
  }

  private func json(
    _ verb: String, _ count: Int, _ files: [String], kept: [String] = [], waiting: UInt64 = 0,
    left: [String]? = nil
  ) -> String {
    var object = JSONObject()
    object.add("subject", subject)
    object.add(verb, count)
    if !isDry { object.add("files", files) }
    if !kept.isEmpty {
      object.add("keptLogs", kept)
      object.add("unpublishedRecords", waiting)
    }
    if let left { object.add("unconfirmed", left) }
    return object.text
  }
}

enum Confirmation {
  /// Asks the question on the terminal, or throws if there is no terminal.
  static func isGiven(_ question: String, _ console: Console) throws -> Bool {
    guard isatty(STDIN_FILENO) == 1, console.error.isTerminal else {
      throw UsageError("There is no terminal to ask on; say --yes to confirm.")
    }
    try console.error.write("\(question.printable) [y/N] ")
    try console.error.flush()
    return ["y", "yes"].contains(readLine()?.lowercased())
  }
}
