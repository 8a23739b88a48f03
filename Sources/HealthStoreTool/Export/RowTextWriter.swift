import HealthStore
import SampleLog

/// Writes CSV or JSON lines, which `healthstore ingest` reads.
final class RowTextWriter: SampleWriter {
  let sink: ExportSink
  private let words: RowWords
  private var encoder: RowEncoder
  private let isCSV: Bool
  /// Whether there may be deletions, so that each line has to say what it is.
  private let hasKinds: Bool

  init(
    isCSV: Bool, hasKinds: Bool, _ words: RowWords, _ objects: StoredObjects, _ sink: ExportSink
  ) {
    self.isCSV = isCSV
    self.hasKinds = hasKinds
    self.words = words
    self.sink = sink
    encoder = RowEncoder(isCSV: isCSV, words, contentsOf: objects)
  }

  func begin() throws {
    guard isCSV else { return }
    let fields = (hasKinds ? ["kind"] : []) + RowEncoder.fields + [RowEncoder.contents]
    sink.text.append(OutputFormat.csv(fields) + "\n")
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

  func delete(_ change: Change) throws { append(ChangeText(change, words)) }

  func erase(_ subject: String) throws { append(ChangeText(erased: subject)) }

  /// As many fields as a sample has: the last one is empty, be it called anchor or contents.
  private func append(_ change: ChangeText) {
    sink.text.append(isCSV ? OutputFormat.csv(change.csvFields) : change.object.text)
    sink.text.append(UInt8(ascii: "\n"))
  }
}
