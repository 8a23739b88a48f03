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
  ///
  /// A spreadsheet takes a cell that begins like a formula for one, so for it such a cell begins
  /// with an apostrophe. Numbers and dates are not passed here.
  static func csv(_ fields: [String], forSpreadsheet: Bool = false) -> String {
    fields.map { field in
      let isFormula = forSpreadsheet && field.unicodeScalars.first.map(startsFormula) ?? false
      let text = isFormula ? "'" + field : field
      let special = text.unicodeScalars.contains { scalar in
        switch scalar {
        case ",", "\"", "\n", "\r": true
        // Separators of some languages.
        case ";", "\t": forSpreadsheet
        default: false
        }
      }
      let edges = text.unicodeScalars.first == " " || text.unicodeScalars.last == " "
      return special || edges ? "\"\(text.replacing { $0 == "\"" ? "\"\"" : nil })\"" : text
    }.joined(separator: ",")
  }

  /// Whether a cell that begins with a character may be a formula; full-width forms are converted.
  private static func startsFormula(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "=", "+", "-", "@", "\t", "\r", "\n", "\u{FF1D}", "\u{FF0B}", "\u{FF0D}", "\u{FF20}": true
    default: false
    }
  }
}

extension CommandUsage.Option {
  /// The option that makes CSV safe to open in a spreadsheet.
  static let spreadsheet = Self(
    name: "--spreadsheet",
    help: "Of csv: puts an apostrophe before texts that begin like a formula (= + - @, tab).")
}

extension ParsedArguments {
  /// Whether CSV is for a spreadsheet.
  func wantsSpreadsheet(isCSV: Bool) throws(UsageError) -> Bool {
    guard has("--spreadsheet") else { return false }
    guard isCSV else { throw error("The option --spreadsheet is of --format csv only") }
    return true
  }
}
