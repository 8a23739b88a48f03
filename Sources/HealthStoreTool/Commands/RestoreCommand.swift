import SampleLog

/// `healthstore restore`: creates a store from a backup.
struct RestoreCommand: Command {
  static let usage = CommandUsage(
    name: "restore", summary: "Makes a store from a backup.",
    store: .making,
    arguments: [.init(name: "BACKUP", help: "The backup's directory.")],
    options: [
      .init(name: "--copy", help: "Copies every file instead of hard-linking immutable ones.")
    ] + ReportFormat.options,
    notes: [
      "Every byte of the backup is checked first. Anchors of the original up to the backup's "
        + "end remain valid in the restored store. Later anchors are refused permanently, "
        + "because their readers have seen data that it does not have. Exit status: 0 made, 1 "
        + "failed, 2 a directory that cannot be used, 5 a damaged backup (see `healthstore "
        + "repair`)."
    ])

  private let backup: String
  private let destination: String
  private let linksFiles: Bool
  private let isJSON: Bool

  init(_ arguments: ParsedArguments) throws {
    backup = arguments.positional[0]
    destination = try arguments.store()
    linksFiles = !arguments.has("--copy")
    isJSON = try arguments.wantsJSON()
  }

  func run(_ console: Console) async throws -> ExitStatus {
    try StoreOpening.requireStore(backup)
    try Paths.requireOutside(destination, of: backup)
    let result = try StoreOpening.using(backup) {
      try Database.restore(from: backup, to: destination, linksFiles: linksFiles)
    }
    if isJSON {
      var object = JSONObject()
      object.add("newestSequence", result.end)
      object.add("epoch", result.epoch)
      object.add("files", result.fileCount)
      object.add("bytes", result.byteCount)
      try console.report([object.text])
    } else {
      try console.report([
        "restored up to sequence number \(Figures.count(result.end)): "
          + "\(Figures.count(result.fileCount)) \(result.fileCount == 1 ? "file" : "files"), "
          + "\(Figures.count(result.byteCount)) bytes; later anchors of the original are refused"
      ])
    }
    return .good
  }
}
