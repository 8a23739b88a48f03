/// How a command prints what it did, which is one thing.
enum ReportFormat: String, CaseIterable {
  case table
  /// One object.
  case json
  /// The same, which is one line.
  case jsonl

  /// The options that choose one.
  static let options: [CommandUsage.Option] = [
    .init(
      name: "--format", value: "FORMAT",
      help: "table, or json or jsonl (one object on one line); table unless given.",
      choices: allCases.map(\.rawValue)),
    .init(name: "--json", help: "The same as --format json."),
  ]
}

extension ParsedArguments {
  /// Whether a report is an object of JSON.
  func wantsJSON() throws(UsageError) -> Bool {
    let format = try choice("--format", default: has("--json") ? ReportFormat.json : .table)
    guard format != .table || !has("--json") else {
      throw error("The options --json and --format table exclude each other")
    }
    return format != .table
  }
}
