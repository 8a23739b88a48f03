import SampleLog

/// Prints samples in one of the formats.
struct RowPrinter: ~Copyable {
  private let format: OutputFormat
  private let forSpreadsheet: Bool
  private let words: RowWords
  private let output: Output
  /// Returns whether a sample can be decoded; others are skipped.
  private let admits: (Block, Int) throws -> Bool
  /// The leading columns of a table: subject and type, if they differ between rows.
  private let fronts: [Front]
  private var encoder: RowEncoder
  private var text = TextBuffer()
  private var isFirst = true

  /// The size at which the buffer is written, in bytes.
  private static let fullByteCount = 64 << 10

  private struct Front {
    var title: String
    var width: Int
    var text: (Row) -> String
    var dayText: (ActivityDay) -> String
  }

  /// Creates a printer of some series; a table shows their subjects and types if they differ.
  init(
    _ format: OutputFormat, forSpreadsheet: Bool = false, _ words: RowWords,
    _ series: [SeriesKey], _ days: [ActivityDay] = [], _ output: Output,
    where admits: @escaping (Block, Int) throws -> Bool = { _, _ in true }
  ) {
    self.format = format
    self.forSpreadsheet = forSpreadsheet
    self.admits = admits
    self.words = words
    self.output = output
    encoder = RowEncoder(isCSV: format == .csv, forSpreadsheet: forSpreadsheet, words)
    func front(
      _ title: String, _ texts: Set<String>, _ text: @escaping (Row) -> String,
      _ dayText: @escaping (ActivityDay) -> String
    ) -> Front? {
      guard texts.count > 1 else { return nil }
      let width = texts.map(\.printable.count).max() ?? 0
      return Front(
        title: title, width: max(title.count, width), text: text, dayText: dayText)
    }
    let subjects = series.map { words.subject($0.subject) } + days.map(\.subject)
    let types =
      series.map { words.type($0.type) } + days.prefix(1).map { _ in ActivityDay.typeName }
    fronts = [
      front("SUBJECT", Set(subjects), { [words] in words.subject($0.subject) }, \.subject),
      front("TYPE", Set(types), { [words] in words.type(of: $0) }) { _ in ActivityDay.typeName },
    ].compactMap(\.self)
  }

  /// Prints the header.
  func begin() throws {
    switch format {
    case .table:
      try output.line(
        fronts.map { $0.title.padded(to: $0.width) + "  " }.joined() + RowText.tableTitle)
    case .csv: try output.line(OutputFormat.csv(RowEncoder.fields))
    case .json, .jsonl: break
    }
  }

  /// Prints the rows of a selection, up to a limit.
  mutating func print(_ rows: RowSelection, limit: Int = .max) throws {
    var left = limit
    try rows.forEachRow { block, row in
      guard left > 0 else { return }
      left -= 1
      if try admits(block, row) { try print(block, row) }
    }
  }

  private mutating func print(_ block: Block, _ row: Int) throws {
    switch format {
    case .table:
      let row = Row(block, row)
      let front = fronts.map { $0.text(row).printable.padded(to: $0.width) + "  " }.joined()
      text.append(front + (try RowText(row, words).tableLine()))
    case .csv: try encoder.append(block, row, to: &text)
    case .json, .jsonl:
      beginObject()
      text.append(UInt8(ascii: "{"))
      try encoder.append(block, row, to: &text)
      text.append(UInt8(ascii: "}"))
    }
    try endRecord()
  }

  /// Prints the activity summary of a day.
  mutating func print(_ day: ActivityDay) throws {
    switch format {
    case .table:
      let front = fronts.map { $0.dayText(day).printable.padded(to: $0.width) + "  " }.joined()
      text.append(front + day.tableLine)
    case .csv:
      text.append(
        OutputFormat.csv(day.csvFields(RowEncoder.fields), forSpreadsheet: forSpreadsheet))
    case .json, .jsonl:
      beginObject()
      text.append(day.object.text)
    }
    try endRecord()
  }

  /// Appends the bracket or separator before a JSON object.
  private mutating func beginObject() {
    if format == .json { text.append(literal: isFirst ? "[" : ",\n ") }
    isFirst = false
  }

  private mutating func endRecord() throws {
    if format != .json { text.append(UInt8(ascii: "\n")) }
    if text.count >= Self.fullByteCount { try flush() }
  }

  /// Writes the buffer to the output; callers also do so before they report an error.
  mutating func flush() throws { try output.write(bytes: text.take()) }

  /// Prints the footer and writes the buffer to the output.
  mutating func end() throws {
    if format == .json { text.append(isFirst ? "[]\n" : "]\n") }
    try flush()
  }
}
