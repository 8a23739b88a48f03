import SampleLog

/// Prints samples in one of the formats.
struct RowPrinter: ~Copyable {
  private let format: OutputFormat
  private let words: RowWords
  private let output: Output
  /// Whether a sample can be read; others are left out.
  private let admits: (Block, Int) throws -> Bool
  /// What a table has in front of its columns, and how wide.
  private let fronts: [Front]
  private var encoder: RowEncoder
  private var text = TextBuffer()
  private var isFirst = true

  /// So much is written at once.
  private static let fullByteCount = 64 << 10

  private struct Front {
    var title: String
    var width: Int
    var text: (RowReference) -> String
  }

  /// Prints samples of some series; a table says which where they differ.
  init(
    _ format: OutputFormat, _ words: RowWords, _ series: [SeriesKey], _ output: Output,
    where admits: @escaping (Block, Int) throws -> Bool = { _, _ in true }
  ) {
    self.format = format
    self.admits = admits
    self.words = words
    self.output = output
    encoder = RowEncoder(isCSV: format == .csv, words)
    func front(_ title: String, _ texts: Set<String>, _ text: @escaping (RowReference) -> String)
      -> Front?
    {
      guard texts.count > 1 else { return nil }
      let width = texts.map(\.printable.count).max() ?? 0
      return Front(title: title, width: max(title.count, width), text: text)
    }
    fronts = [
      front("SUBJECT", Set(series.map { words.subject($0.subject) })) { [words] in
        words.subject($0.subject)
      },
      front("TYPE", Set(series.map { words.type($0.type) })) { [words] in words.type(of: $0) },
    ].compactMap(\.self)
  }

  /// Prints what comes before the first sample.
  func begin() throws {
    switch format {
    case .table:
      try output.line(
        fronts.map { $0.title.padded(to: $0.width) + "  " }.joined() + RowText.tableTitle)
    case .csv: try output.line(OutputFormat.csv(RowEncoder.fields))
    case .json, .jsonl: break
    }
  }

  /// Prints the first rows of a selection.
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
      let row = RowReference(block, row)
      let front = fronts.map { $0.text(row).printable.padded(to: $0.width) + "  " }.joined()
      text.append(front + RowText(row, words).tableLine())
    case .csv: try encoder.append(block, row, to: &text)
    case .json, .jsonl:
      if format == .json { text.append(literal: isFirst ? "[" : ",\n ") }
      isFirst = false
      text.append(UInt8(ascii: "{"))
      try encoder.append(block, row, to: &text)
      text.append(UInt8(ascii: "}"))
    }
    if format != .json { text.append(UInt8(ascii: "\n")) }
    if text.count >= Self.fullByteCount { try flush() }
  }

  /// Hands over what is printed, also before an error.
  mutating func flush() throws { try output.write(bytes: text.take()) }

  /// Prints what comes after the last sample.
  mutating func end() throws {
    if format == .json { text.append(isFirst ? "[]\n" : "]\n") }
    try flush()
  }
}
