/// `healthstore completion`: prints a shell completion script.
struct CompletionCommand: Command {
  static let usage = CommandUsage(
    name: "completion", summary: "Prints a script that completes commands and options in a shell.",
    arguments: [
      .init(name: "SHELL", help: "bash, zsh or fish.")
    ],
    notes: [
      "bash: source <(healthstore completion bash). zsh: the same, after compinit. fish: "
        + "healthstore completion fish | source."
    ])

  private let shell: Completion

  init(_ arguments: ParsedArguments) throws {
    let name = arguments.positional[0]
    guard let shell = Completion(rawValue: name) else {
      throw arguments.error("There is a completion for bash, zsh and fish, not for \(name)")
    }
    self.shell = shell
  }

  func run(_ console: Console) async throws -> ExitStatus {
    try console.out.write(shell.script)
    return .good
  }
}
