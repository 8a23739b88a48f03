extension Report {
  /// The results as a text table.
  ///
  /// A ratio above 1 means that the first peer is better.
  package var table: String {
    let lines = grid
    let widths = lines[0].indices.map { column in lines.map { $0[column].count }.max() ?? 0 }
    let text = lines.map { cells in
      zip(cells, widths).enumerated().map { column, cell in
        column < 2 ? cell.0.padded(to: cell.1) : cell.0.paddedLeft(to: cell.1)
      }.joined(separator: "  ")
    }
    return ([heading] + text).joined(separator: "\n")
  }

  /// The results as a Markdown table.
  package var markdown: String {
    let lines = grid
    let rule = lines[0].indices.map { $0 < 2 ? "---" : "---:" }
    let text = ([lines[0], rule] + lines.dropFirst()).map {
      "| " + $0.joined(separator: " | ") + " |"
    }
    return heading + "\n\n" + text.joined(separator: "\n")
  }

  private var grid: [[String]] {
    let ratios = peers.dropFirst().map { "÷ \($0)" }
    return [["work", "unit"] + peers + ratios + ["equal"]] + rows.map { cells($0) }
  }

  private func cells(_ row: Row) -> [String] {
    let figures = row.cells.map { cell in cell.map(Self.figure) ?? "–" }
    let ratios = row.cells.dropFirst().map { other -> String in
      guard let own = row.cells[0], let other else { return "–" }
      return own.advantage(over: other).short + "×"
    }
    let agreement = row.agrees.map { $0 ? "yes" : "NO" } ?? "–"
    return [row.title, row.unit] + figures + ratios + [agreement]
  }

  private static func figure(_ cell: Measurement) -> String {
    guard cell.values.count > 1 else { return cell.median.short }
    return "\(cell.median.short) (\(cell.minimum.short)…\(cell.maximum.short))"
  }
}
