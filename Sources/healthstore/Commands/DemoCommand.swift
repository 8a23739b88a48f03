/// `healthstore demo`: shows the store at work.
struct DemoCommand: Command {
  static let usage = CommandUsage(
    name: "demo", summary: "Shows the store at work on made-up data or on an export.",
    options: [
      .init(
        name: "--export", value: "PATH",
        help: "An Apple Health export (.xml, folder or .zip) instead of made-up data.")
    ])

  private let export: String?

  init(_ arguments: ParsedArguments) { export = arguments["--export"] }

  func run(_ console: Console) async throws -> ExitStatus { .good }
}
