import SampleLog
import HealthStore

/// How samples are written.
enum RowFormat: String, CaseIterable {
  case table
  case csv
  case json

  /// What comes before the first row.
  var title: String? {
    switch self {
    case .table: RowText.tableTitle
    case .csv: Self.csv(RowText.csvTitles)
    case .json: nil
    }
  }

  func line(_ row: RowReference, _ words: RowWords) throws -> String {
    let text = RowText(row, words)
    switch self {
    case .table: return text.tableLine()
    case .csv: return Self.csv(try text.csvFields())
    case .json:
      var object = JSONObject()
      try text.add(to: &object)
      return object.text
    }
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
