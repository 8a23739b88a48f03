/// Records with the same fields, as a table, CSV or JSON.
struct RecordList {
  enum Field {
    case text(String)
    case count(Int)
    /// A number, or nil if the field is absent.
    case number(Double?)
  }

  private let columns: [(name: String, alignment: TextTable.Alignment)]
  private var records: [[Field]] = []

  init(_ columns: [(name: String, alignment: TextTable.Alignment)]) { self.columns = columns }

  mutating func add(_ record: [Field]) { records.append(record) }

  func text(_ format: OutputFormat, forSpreadsheet: Bool = false) -> String {
    switch format {
    case .table:
      var table = TextTable(columns.map { ($0.name.titled, $0.alignment) })
      for record in records { table.add(record.map { Self.text($0, isTable: true) }) }
      return lines(table.lines())
    case .csv:
      return lines(
        [OutputFormat.csv(columns.map(\.name))]
          + records.map { record in
            record.map { field in
              // Numbers may begin with a sign and must not be prefixed with an apostrophe.
              if case .text(let text) = field {
                return OutputFormat.csv([text], forSpreadsheet: forSpreadsheet)
              }
              return Self.text(field, isTable: false)
            }.joined(separator: ",")
          })
    case .json: return "[" + records.map(object).joined(separator: ",\n ") + "]\n"
    case .jsonl: return lines(records.map(object))
    }
  }

  private func lines(_ lines: [String]) -> String { lines.map { $0 + "\n" }.joined() }

  private func object(_ record: [Field]) -> String {
    var object = JSONObject()
    for (column, field) in zip(columns, record) {
      switch field {
      case .text(let text): object.add(column.name, text)
      case .count(let count): object.add(column.name, count)
      case .number(let number?): object.add(column.name, number)
      case .number(nil): break
      }
    }
    return object.text
  }

  private static func text(_ field: Field, isTable: Bool) -> String {
    switch field {
    case .text(let text): text
    case .count(let count): isTable ? Figures.count(count) : String(count)
    case .number(nil): isTable ? "-" : ""
    case .number(let number?): isTable ? Figures.short(number) : Figures.number(number)
    }
  }
}

extension String {
  /// The column title of a field such as `bundleIdentifier`: `BUNDLE IDENTIFIER`.
  fileprivate var titled: String {
    reduce(into: "") { $0 += ($1.isUppercase ? " " : "") + $1.uppercased() }
  }
}
