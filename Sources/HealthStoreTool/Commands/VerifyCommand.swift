import SampleLog

/// `healthstore verify`: reads every byte of a store and checks it.
struct VerifyCommand: Command {
  static let usage = CommandUsage(
    name: "verify", summary: "Checks every file and sample of a store.",
    store: .using,
    notes: [
      "Nothing is written, and a store in use can be verified. Each damage is one line: "
        + "file, byte, reason. If every checksum is correct, samples that cannot be read are "
        + "named. Exit status: 0 intact, 2 cannot be opened, 5 damaged."
    ])

  private let store: String

  init(_ arguments: ParsedArguments) throws { store = try arguments.store() }

  func run(_ console: Console) async throws -> ExitStatus {
    try run(console, Interruption())
  }

  func run(_ console: Console, _ interruption: Interruption) throws -> ExitStatus {
    let verification = try Self.verification(of: store, interruption)
    let read =
      "\(Figures.count(verification.fileCount)) "
      + "\(verification.fileCount == 1 ? "file" : "files"), "
      + "\(Figures.count(verification.byteCount)) bytes"
    if verification.isGood {
      let unreadable = try unreadableSamples(interruption, console)
      let status = unreadable.status()
      if status == .good { try console.report(["good: \(read)"]) }
      return status
    }
    let damages = verification.damages.map { "\($0.file): byte \($0.offset): \($0.reason)" }
    try console.report(damages + ["damaged: \(damages.count) in \(read)"])
    console.note(
      "The store at \(store) is damaged; `healthstore repair` saves what can be read of it.")
    return .damaged
  }

  /// Decodes every sample, because bytes with a valid checksum may still be malformed.
  private func unreadableSamples(
    _ interruption: Interruption, _ console: Console
  ) throws -> UnreadableSamples {
    let database = try StoreOpening.reading(store)
    let unreadable = UnreadableSamples(RowWords(database).reader, readsPoints: true, console)
    let snapshot = database.snapshot()
    let symbols = snapshot.symbols
    for key in snapshot.series where !symbols.isChildType(key.type) {
      try snapshot.stream([key], where: RowFilter()) { rows in
        try rows.forEachRow { _ = try unreadable.admits($0, $1, in: snapshot) }
        return !interruption.isAsked
      }
      if interruption.isAsked {
        throw interruption.failure(
          "not every sample was read", advice: "run it again, from the beginning")
      }
    }
    return unreadable
  }

  /// Verifies every file of a store.
  static func verification(of store: String, _ interruption: Interruption) throws -> Verification {
    try StoreOpening.requireStore(store)
    let files = InterruptibleFiles(isAsked: interruption.check)
    do {
      return try StoreOpening.using(store) {
        try StoreOpening.steadily(store) { try Verification(path: store, fileSystem: files) }
      }
    } catch StoreError.cancelled {
      throw interruption.failure(
        "not every file was read", advice: "run it again, from the beginning")
    } catch let error as StoreError {
      throw Failure(error.description, status: .unusable)
    }
  }
}
