/// The output format of a command that reports a single result.
enum ReportFormat: String, CaseIterable {
  case table
  /// One JSON object.
  case json
  /// The same as ``json``, whose object is one line.
  case jsonl

  /// The options that select the format.
  static let options: [CommandUsage.Option] = [
    .init(
      name: "--format", value: "FORMAT",
      help: "table, json or jsonl (one object on one line); default: table.",
      choices: allCases.map(\.rawValue)),
    .init(name: "--json", help: "The same as --format json."),
  ]
}

extension ParsedArguments {
  /// Returns whether the result is reported as a JSON object.
  func wantsJSON() throws(UsageError) -> Bool {
    let format = try choice("--format", default: has("--json") ? ReportFormat.json : .table)
    guard format != .table || !has("--json") else {
      throw error("The options --json and --format table exclude each other")
    }
    return format != .table
  }
}
