/// One thing that the program does.
protocol Command {
  static var usage: CommandUsage { get }

  /// Reads the arguments; throws ``UsageError`` when they make no sense.
  init(_ arguments: ParsedArguments) throws

  func run(_ console: Console) async throws -> ExitStatus
}
