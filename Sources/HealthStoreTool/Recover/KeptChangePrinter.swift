import HealthStore
import SampleLog

/// Prints the changes of a kept store that another copy lacks, as a table or in a JSON array.
final class KeptChangePrinter {
  let sink: ExportSink
  private let isJSON: Bool
  private let kept: RowWords
  private let store: RowWords
  private var keptEncoder: RowEncoder
  private var storeEncoder: RowEncoder
  private var isFirst = true

  init(_ kept: Database, _ store: Database, isJSON: Bool, _ console: Console) {
    sink = ExportSink(console.out)
    self.isJSON = isJSON
    self.kept = RowWords(kept)
    self.store = RowWords(store)
    keptEncoder = RowEncoder(isCSV: false, self.kept)
    storeEncoder = RowEncoder(isCSV: false, self.store)
  }

  /// Prints the beginning of the JSON object, or the title of the table.
  func begin() {
    sink.text.append(
      isJSON
        ? #"{"changes":["#
        : Self.line("CHANGE", "UUID", "TYPE", "SUBJECT", RowText.tableTitle))
  }

  func print(_ change: KeptChange) throws {
    switch change {
    case .sample(let row): try print("missing", row, kept, &keptEncoder)
    case .addition(_, let row): try print("extended", row, kept, &keptEncoder)
    case .deletion(let row): try print("deleted", row, store, &storeEncoder)
    }
    try sink.flushIfFull()
  }

  private func print(
    _ name: String, _ row: Row, _ words: RowWords, _ encoder: inout RowEncoder
  ) throws {
    guard isJSON else {
      return sink.text.append(
        Self.line(
          name, "\(row.id)", words.type(of: row).printable, words.subject(row.subject).printable,
          try RowText(row, words).tableLine()))
    }
    sink.text.append(isFirst ? #"{"change":""# : #",{"change":""#)
    isFirst = false
    sink.text.append(name + #"","#)
    try encoder.append(row.block, row.row, to: &sink.text)
    sink.text.append(UInt8(ascii: "}"))
  }

  private static func line(
    _ change: String, _ id: String, _ type: String, _ subject: String, _ rest: String
  ) -> String {
    change.padded(to: 8) + "  " + id.padded(to: 36) + "  " + type.padded(to: 24) + "  "
      + subject.padded(to: 10) + "  " + rest + "\n"
  }

  /// Prints the end, which is the remaining members of the JSON object or the lines of a summary.
  func end(_ summary: JSONObject, _ lines: [String]) throws {
    if isJSON {
      sink.text.append("],\(summary.text.dropFirst())\n")
    } else {
      sink.text.append("\n" + lines.map { $0 + "\n" }.joined())
    }
    try sink.finish()
  }
}
