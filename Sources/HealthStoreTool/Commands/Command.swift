/// A command of the tool.
protocol Command {
  static var usage: CommandUsage { get }

  /// Creates the command from its arguments, or throws ``UsageError`` if they are invalid.
  init(_ arguments: ParsedArguments) throws

  func run(_ console: Console) async throws -> ExitStatus
}
