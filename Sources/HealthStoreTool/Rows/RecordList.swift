/// How lists that are not samples are written.
enum ListFormat: String, CaseIterable {
  case table
  case csv
  /// One array.
  case json
  /// An object a line.
  case jsonl

  static let help =
    "table (the standard), csv, json (one array) or jsonl (an object a line)."
}

/// Records with the same fields, as a table, CSV or JSON.
struct RecordList {
  /// What a field holds.
  enum Field {
    case text(String)
    case count(Int)
  }

  private let columns: [(name: String, alignment: TextTable.Alignment)]
  private var records: [[Field]] = []

  init(_ columns: [(name: String, alignment: TextTable.Alignment)]) { self.columns = columns }

  mutating func add(_ record: [Field]) { records.append(record) }

  func lines(_ format: ListFormat) -> [String] {
    switch format {
    case .table:
      var table = TextTable(columns.map { ($0.name.uppercased(), $0.alignment) })
      for record in records { table.add(record.map { Self.text($0, isGrouped: true) }) }
      return table.lines()
    case .csv:
      return [RowFormat.csv(columns.map(\.name))]
        + records.map { RowFormat.csv($0.map { Self.text($0, isGrouped: false) }) }
    case .json:
      let objects = records.map(object)
      return objects.isEmpty ? ["[]"] : ["[" + objects.joined(separator: ",\n ") + "]"]
    case .jsonl: return records.map(object)
    }
  }

  private func object(_ record: [Field]) -> String {
    var object = JSONObject()
    for (column, field) in zip(columns, record) {
      switch field {
      case .text(let text): object.add(column.name, text)
      case .count(let count): object.add(column.name, count)
      }
    }
    return object.text
  }

  private static func text(_ field: Field, isGrouped: Bool) -> String {
    switch field {
    case .text(let text): text
    case .count(let count): isGrouped ? Figures.count(count) : String(count)
    }
  }
}
