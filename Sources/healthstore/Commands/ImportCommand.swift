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
      "Reading the same export again, or a later one of the same phone, adds only what is new."
    ])

  private let path: String
  private let store: String
  private let subject: String

  init(_ arguments: ParsedArguments) throws {
    path = arguments.positional[0]
    store = try arguments.required("--store")
    subject = arguments["--subject"] ?? ""
  }

  func run(_ console: Console) async throws -> ExitStatus { .good }
}
