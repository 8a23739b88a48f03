import SampleLog

/// `healthstore verify`: reads every byte of a store and checks it.
struct VerifyCommand: Command {
  static let usage = CommandUsage(
    name: "verify", summary: "Reads every file of a store and checks every checksum.",
    arguments: [.init(name: "DIR", help: "The store's directory.")],
    notes: [
      "Nothing is written, and a store in use can be verified. One line per damage: file, byte, "
        + "reason. Exit status: 0 good, 1 damaged, 2 cannot be opened."
    ])

  private let store: String

  init(_ arguments: ParsedArguments) { store = arguments.positional[0] }

  func run(_ console: Console) async throws -> ExitStatus {
    try StoreOpening.requireStore(store)
    let verification: Verification
    do {
      verification = try StoreOpening.steadily(store) { try Verification(path: store) }
    } catch let error as StoreError {
      throw Failure(error.description, status: .unusable)
    }
    for damage in verification.damages {
      try console.out.line("\(damage.file): byte \(damage.offset): \(damage.reason)")
    }
    let read =
      "\(Figures.count(verification.fileCount)) "
      + "\(verification.fileCount == 1 ? "file" : "files"), "
      + "\(Figures.count(verification.byteCount)) bytes"
    if verification.isGood {
      try console.out.line("good: \(read)")
      return .good
    }
    try console.out.line("damaged: \(verification.damages.count) in \(read)")
    return .failed
  }
}
