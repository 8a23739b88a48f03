/// Dispatches the arguments to a command and turns errors into a message and an exit status.
enum Tool {
  static let version = "0.1.0"

  static var commands: [any Command.Type] {
    [
      ImportCommand.self, IngestCommand.self, ExportCommand.self, QueryCommand.self,
      ChangesCommand.self, AggregateCommand.self, ReportCommand.self, SubjectsCommand.self,
      SourcesCommand.self,
      StatsCommand.self, DeleteCommand.self, ExpireCommand.self, EraseCommand.self,
      CompactCommand.self, VerifyCommand.self, DoctorCommand.self, BackupCommand.self,
      RestoreCommand.self, RepairCommand.self, PrimaryCommand.self, ReplicaCommand.self,
      PromoteCommand.self, RecoverCommand.self, ClusterCommand.self, DemoCommand.self,
      CompletionCommand.self, ManCommand.self,
    ]
  }

  static func run(_ arguments: [String], _ console: Console) async -> ExitStatus {
    do {
      let status = try await dispatch(arguments, console)
      try console.report([])
      return status
    } catch is ClosedOutput {
      // The reader closed the pipe, as `head` does.
      return .good
    } catch {
      let failure = Failure(error)
      console.note(failure.sentence)
      return failure.status
    }
  }

  private static func dispatch(
    _ arguments: [String], _ console: Console
  ) async throws -> ExitStatus {
    guard let name = arguments.first else {
      throw UsageError("Name a command; `healthstore --help` lists them.")
    }
    switch name {
    case "--help", "-h", "help":
      guard let topic = arguments.dropFirst().first else {
        try console.out.write(help)
        return .good
      }
      try console.out.write(try command(topic).usage.help)
      return .good
    case "--version":
      try console.out.line("healthstore \(version)")
      return .good
    default: break
    }
    let command = try command(name)
    let rest = Array(arguments.dropFirst())
    if command.usage.asksForHelp(rest) {
      try console.out.write(command.usage.help)
      return .good
    }
    return try await command.init(ParsedArguments(rest, command.usage)).run(console)
  }

  private static func command(_ name: String) throws(UsageError) -> any Command.Type {
    guard let command = commands.first(where: { $0.usage.name == name }) else {
      let known = commands.map { $0.usage.name }
      guard let meant = Suggestion.nearest(name, among: known) else {
        throw UsageError("There is no command \(name); `healthstore --help` lists them.")
      }
      throw UsageError(
        "There is no command \(name); did you mean \(meant)? `healthstore --help` lists all.")
    }
    return command
  }

  static var help: String {
    let width = commands.map { $0.usage.name.count }.max() ?? 0
    var lines = ["Usage: healthstore COMMAND [ARGUMENTS]", "", "Commands:"]
    for command in commands {
      let usage = command.usage
      lines.append("  \(usage.name.padded(to: width))  \(usage.summary)")
    }
    lines += [
      "", "`healthstore COMMAND --help` describes a command; --version prints the version.",
      "", "Exit status:",
    ]
    lines += ExitStatus.allCases.map { "  \($0.rawValue)  \($0.meaning)" }
    lines.append("Every status except 0 is accompanied by a message on standard error.")
    return lines.joined(separator: "\n") + "\n"
  }
}
