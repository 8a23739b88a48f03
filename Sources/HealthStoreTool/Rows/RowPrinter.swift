import SampleLog

/// Prints samples in one of the formats.
struct RowPrinter {
  private let format: OutputFormat
  private let words: RowWords
  private let output: Output
  /// What a table has in front of its columns, and how wide.
  private let fronts: [Front]
  private var array = ArrayText()

  private struct Front {
    var title: String
    var width: Int
    var text: (RowReference) -> String
  }

  /// Prints samples of some series; a table says which where they differ.
  init(_ format: OutputFormat, _ words: RowWords, _ series: [SeriesKey], _ output: Output) {
    self.format = format
    self.words = words
    self.output = output
    func front(_ title: String, _ texts: Set<String>, _ text: @escaping (RowReference) -> String)
      -> Front?
    {
      guard texts.count > 1 else { return nil }
      let width = texts.map(\.printable.count).max() ?? 0
      return Front(title: title, width: max(title.count, width), text: text)
    }
    fronts = [
      front("SUBJECT", Set(series.map { words.subject($0.subject) })) { [words] in
        words.subject($0.block.subject)
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
    case .csv: try output.line(OutputFormat.csv(RowText.fields))
    case .json, .jsonl: break
    }
  }

  mutating func print(_ row: RowReference) throws {
    let text = RowText(row, words)
    switch format {
    case .table:
      let front = fronts.map { $0.text(row).printable.padded(to: $0.width) + "  " }.joined()
      try output.line(front + text.tableLine())
    case .csv: try output.line(OutputFormat.csv(text.csvFields()))
    case .json: try output.write(array.separator() + text.object().text)
    case .jsonl: try output.line(text.object().text)
    }
  }

  /// Prints what comes after the last sample.
  func end() throws {
    if format == .json { try output.write(array.end) }
  }
}
