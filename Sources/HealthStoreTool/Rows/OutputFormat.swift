/// How samples and lists are written.
enum OutputFormat: String, CaseIterable {
  case table
  case csv
  /// One array.
  case json
  /// An object a line.
  case jsonl

  /// The option that chooses one.
  static func option(standard: OutputFormat = .table) -> CommandUsage.Option {
    CommandUsage.Option(
      name: "--format", value: "FORMAT",
      help: "table, csv, json (one array) or jsonl (an object a line); "
        + "\(standard.rawValue) unless given.",
      choices: allCases.map(\.rawValue))
  }

  /// Fields joined by commas; those that contain a comma, a quote or a line break in quotes, with
  /// quotes doubled.
  static func csv(_ fields: [String]) -> String {
    fields.map { field in
      let special = field.unicodeScalars.contains { [",", "\"", "\n", "\r"].contains($0) }
      let edges = field.first == " " || field.last == " "
      return special || edges ? "\"" + field.replacing("\"", with: "\"\"") + "\"" : field
    }.joined(separator: ",")
  }
}
