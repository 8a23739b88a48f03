/// One thing that the program does.
protocol Command {
  static var usage: CommandUsage { get }

  /// Reads the arguments; throws ``UsageError`` when they make no sense.
  init(_ arguments: ParsedArguments) throws

  func run(_ console: Console) async throws -> ExitStatus
}

/// What the program tells its caller.
enum ExitStatus: Int32 {
  case good = 0
  /// The work failed, or something is damaged.
  case failed = 1
  /// The arguments make no sense, or something cannot be opened.
  case unusable = 2
}
