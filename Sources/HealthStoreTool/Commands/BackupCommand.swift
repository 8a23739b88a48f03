import SampleLog

/// `healthstore backup`: copies a store, even while another process writes to it.
struct BackupCommand: Command {
  static let usage = CommandUsage(
    name: "backup", summary: "Copies a store, even while a program writes to it.",
    store: .using,
    arguments: [
      .init(name: "DESTINATION", help: "A directory that does not exist or is empty.")
    ],
    options: [
      .init(name: "--copy", help: "Copies every file instead of hard-linking immutable ones."),
      .init(name: "--unchecked", help: "Skips the check that reads every byte of the backup."),
    ] + ReportFormat.options,
    notes: [
      "The backup contains whole commits: all that were complete when the command began. On "
        + "the same file system, immutable files are hard-linked, which takes no space; for a "
        + "backup that survives its disk, name a directory on another disk. A backup can be "
        + "queried and verified, and `healthstore restore` makes a store from it. Once the "
        + "backup is made, every byte of it is read. If the store is damaged, so is the backup, "
        + "which is kept. If the command is interrupted while it copies, nothing of the backup "
        + "remains. Exit status: 0 made, 1 failed, 2 a directory that cannot be used, 5 damaged."
    ])

  private let store: String
  private let destination: String
  private let linksFiles: Bool
  private let isChecked: Bool
  private let isJSON: Bool

  init(_ arguments: ParsedArguments) throws {
    store = try arguments.store()
    destination = arguments.positional[0]
    linksFiles = !arguments.has("--copy")
    isChecked = !arguments.has("--unchecked")
    isJSON = try arguments.wantsJSON()
  }

  func run(_ console: Console) async throws -> ExitStatus {
    try run(console, Interruption())
  }

  func run(_ console: Console, _ interruption: Interruption) throws -> ExitStatus {
    let files = InterruptibleFiles(isAsked: interruption.check)
    let database: Database
    let result: BackupResult
    do {
      // If a file loses its name before it is linked, the backup copies the open file instead.
      database = try StoreOpening.reading(store, fileSystem: files)
      try Paths.requireOutside(destination, of: store)
      result = try StoreOpening.using(destination) {
        try database.backup(to: destination, linksFiles: linksFiles)
      }
    } catch StoreError.cancelled {
      throw interruption.failure(
        "no backup is made, and \(destination) has no file of one", advice: "run it again")
    }
    try console.report([line(result, database)])
    return try isChecked ? check(console, files, interruption) : .good
  }

  /// Verifies every byte of the backup, because creating it checks no more than opening a store.
  private func check(
    _ console: Console, _ files: InterruptibleFiles, _ interruption: Interruption
  ) throws -> ExitStatus {
    let damages: [Damage]
    do {
      damages = try Verification(path: destination, fileSystem: files).damages
    } catch StoreError.cancelled {
      throw interruption.failure(
        "the backup is made, but not every byte of it was read",
        advice: "`healthstore verify \(destination)` does that")
    }
    guard let first = damages.first else { return .good }
    console.note(
      "The backup is made but damaged, and so is the store: \(first.file) is damaged at byte "
        + "\(first.offset): \(first.reason). There are \(damages.count) in all; run "
        + "`healthstore verify \(store)`.")
    return .damaged
  }

  private func line(_ result: BackupResult, _ database: Database) -> String {
    if isJSON {
      var object = JSONObject()
      object.add("newestSequence", result.end)
      object.add("files", result.fileCount)
      object.add("bytes", result.byteCount)
      object.add("linkedFiles", result.linkedCount)
      object.add("anchor", AnchorText.text(of: database.anchor(at: result.end)))
      return object.text
    }
    return "backup up to sequence number \(Figures.count(result.end)): "
      + "\(Figures.count(result.fileCount)) \(result.fileCount == 1 ? "file" : "files"), "
      + "\(Figures.count(result.byteCount)) bytes, \(Figures.count(result.linkedCount)) linked"
  }
}
