/// The output format of samples and lists.
enum OutputFormat: String, CaseIterable {
  case table
  case csv
  /// One JSON array.
  case json
  /// One JSON object per line.
  case jsonl

  /// Returns the option that selects the format.
  static func option(standard: OutputFormat = .table) -> CommandUsage.Option {
    CommandUsage.Option(
      name: "--format", value: "FORMAT",
      help: "table, csv, json (one array) or jsonl (an object per line); "
        + "default: \(standard.rawValue).",
      choices: allCases.map(\.rawValue))
  }

  /// Returns fields as a CSV record, quoting those with separators, quotes, line breaks or outer
  /// spaces.
  ///
  /// A spreadsheet evaluates a cell that begins like a formula, so such a cell is prefixed with an
  /// apostrophe if the record is for a spreadsheet. Callers do not pass numbers and dates.
  static func csv(_ fields: [String], forSpreadsheet: Bool = false) -> String {
    fields.map { field in
      let isFormula = forSpreadsheet && field.unicodeScalars.first.map(startsFormula) ?? false
      let text = isFormula ? "'" + field : field
      let special = text.unicodeScalars.contains { scalar in
        switch scalar {
        case ",", "\"", "\n", "\r": true
        // Spreadsheets use these as separators in some locales.
        case ";", "\t": forSpreadsheet
        default: false
        }
      }
      let edges = text.unicodeScalars.first == " " || text.unicodeScalars.last == " "
      return special || edges ? "\"\(text.replacing { $0 == "\"" ? "\"\"" : nil })\"" : text
    }.joined(separator: ",")
  }

  /// Returns whether a cell that begins with a character may be a formula.
  ///
  /// Includes the full-width forms, which spreadsheets convert.
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
    help: "For csv: puts an apostrophe before texts that begin like a formula (= + - @, tab).")
}

extension ParsedArguments {
  /// Returns whether CSV is written for a spreadsheet.
  func wantsSpreadsheet(isCSV: Bool) throws(UsageError) -> Bool {
    guard has("--spreadsheet") else { return false }
    guard isCSV else { throw error("The option --spreadsheet is of --format csv only") }
    return true
  }
}
