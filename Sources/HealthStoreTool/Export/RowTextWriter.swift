import HealthStore
import SampleLog

/// Writes CSV or JSON lines, which `healthstore ingest` reads.
final class RowTextWriter: SampleWriter {
  let sink: ExportSink
  private let words: RowWords
  private var encoder: RowEncoder
  private let isCSV: Bool
  private let forSpreadsheet: Bool
  /// Whether each line states its kind, because the export may contain deletions.
  private let hasKinds: Bool

  init(
    isCSV: Bool, forSpreadsheet: Bool = false, hasKinds: Bool, _ words: RowWords,
    _ objects: StoredObjects, _ sink: ExportSink
  ) {
    self.isCSV = isCSV
    self.forSpreadsheet = forSpreadsheet
    self.hasKinds = hasKinds
    self.words = words
    self.sink = sink
    encoder = RowEncoder(
      isCSV: isCSV, forSpreadsheet: forSpreadsheet, words, contentsOf: objects)
  }

  func begin() throws {
    guard isCSV else { return }
    sink.text.append(OutputFormat.csv(fields) + "\n")
  }

  private var fields: [String] {
    (hasKinds ? ["kind"] : []) + RowEncoder.fields + [RowEncoder.contents]
  }

  func add(_ block: Block, _ row: Int) throws { try add(block, row, &sink.text) }

  private func add(_ block: Block, _ row: Int, _ text: inout TextBuffer) throws {
    if isCSV {
      if hasKinds { text.append(literal: "added,") }
    } else if hasKinds {
      text.append(literal: #"{"kind":"added","#)
    } else {
      text.append(UInt8(ascii: "{"))
    }
    try encoder.append(block, row, to: &text)
    if !isCSV { text.append(UInt8(ascii: "}")) }
    text.append(UInt8(ascii: "\n"))
  }

  func add(_ days: [ActivityDay], of choice: ActivityDays) throws {
    for day in days {
      if isCSV {
        var cells = day.csvFields(fields)
        if hasKinds { cells[0] = "added" }
        sink.text.append(OutputFormat.csv(cells, forSpreadsheet: forSpreadsheet))
      } else {
        var object = JSONObject()
        if hasKinds { object.add("kind", "added") }
        object.add(membersOf: day.object)
        sink.text.append(object.text)
      }
      sink.text.append(UInt8(ascii: "\n"))
      try sink.flushIfFull()
    }
  }

  func delete(_ change: Change) throws { append(ChangeText(change, words)) }

  func erase(_ subject: String) throws { append(ChangeText(erased: subject)) }

  /// Appends a change with as many CSV fields as a sample.
  ///
  /// The last field is empty; its name is `anchor` in changes and `contents` in exports.
  private func append(_ change: ChangeText) {
    sink.text.append(
      isCSV
        ? OutputFormat.csv(change.csvFields, forSpreadsheet: forSpreadsheet) : change.object.text)
    sink.text.append(UInt8(ascii: "\n"))
  }
}
