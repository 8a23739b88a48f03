/// A text table whose columns are as wide as their content.
struct TextTable {
  enum Alignment { case left, right }

  private let alignments: [Alignment]
  private var rows: [[String]]

  init(_ columns: [(title: String, alignment: Alignment)]) {
    alignments = columns.map(\.alignment)
    rows = [columns.map(\.title)]
  }

  mutating func add(_ row: [String]) { rows.append(row.map(\.printable)) }

  var isEmpty: Bool { rows.count == 1 }

  /// Returns the lines, beginning with the titles.
  func lines(indent: String = "") -> [String] {
    let widths = alignments.indices.map { column in
      rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0
    }
    return rows.map { row in
      var line = indent
      for (column, text) in row.enumerated() {
        if column > 0 { line += "  " }
        line +=
          alignments[column] == .left
          ? text.padded(to: widths[column]) : text.paddedLeft(to: widths[column])
      }
      while line.last == " " { line.removeLast() }
      return line
    }
  }
}
