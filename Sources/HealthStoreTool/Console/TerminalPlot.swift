import Foundation

/// A text chart of intervals with one line each, at most 80 columns wide.
struct TerminalPlot {
  /// The line of one interval.
  struct Row {
    let name: String
    let middle: Double
    /// The minimum and maximum, or nil for a sum, whose bar begins at zero.
    var range: ClosedRange<Double>?
  }

  static let width = 80

  /// The characters that bars consist of.
  enum Style {
    /// Unicode block elements, with a resolution of one eighth of a column.
    case blocks
    /// ASCII characters.
    case plain

    /// Selects blocks for a terminal with a UTF-8 locale, and ASCII otherwise.
    init(_ output: Output, environment: [String: String] = ProcessInfo.processInfo.environment) {
      let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }
        .first { !$0.isEmpty }
      let name = (locale ?? "").lowercased()
      let isUTF8 = name.contains("utf-8") || name.contains("utf8")
      self = output.isTerminal && isUTF8 && environment["TERM"] != "dumb" ? .blocks : .plain
    }
  }

  /// Returns the lines of the chart, followed by a scale if there are ranges.
  static func lines(_ rows: [Row], _ style: Style) -> [String] {
    let names = rows.map(\.name.count).max() ?? 0
    let numbers = rows.map { Figures.short($0.middle) }
    let digits = numbers.map(\.count).max() ?? 0
    let room = max(10, width - names - digits - 4)
    let isRange = rows.contains { $0.range != nil }
    func limited(_ value: Double) -> Double {
      max(-.greatestFiniteMagnitude, min(.greatestFiniteMagnitude, value))
    }
    let low = isRange ? limited(rows.map { $0.range?.lowerBound ?? $0.middle }.min() ?? 0) : 0
    let high = limited(rows.map { $0.range?.upperBound ?? $0.middle }.max() ?? 1)
    func part(_ value: Double) -> Double { ChartScale.part(value, from: low, to: high) }
    var lines = zip(rows, numbers).map { row, number in
      let bar =
        row.range.map { range in
          span(part(range.lowerBound), part(row.middle), part(range.upperBound), room, style)
        } ?? bar(row.middle > 0 ? ChartScale.part(row.middle, from: 0, to: high) : 0, room, style)
      return "\(row.name.padded(to: names))  \(number.paddedLeft(to: digits))  \(bar)"
    }
    if isRange {
      let least = Figures.short(low)
      lines.append(
        String(repeating: " ", count: names + digits + 4) + least
          + Figures.short(high).paddedLeft(to: room - least.count))
    }
    return lines.map(\.trimmedEnd)
  }

  private static func bar(_ part: Double, _ room: Int, _ style: Style) -> String {
    switch style {
    case .plain: return String(repeating: "#", count: Int((part * Double(room)).rounded()))
    case .blocks:
      let eighths = Int((part * Double(room * 8)).rounded())
      let rest = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"][eighths % 8]
      return String(repeating: "█", count: eighths / 8) + rest
    }
  }

  /// Returns a line from the minimum to the maximum, with a mark at the average.
  private static func span(
    _ low: Double, _ middle: Double, _ high: Double, _ room: Int, _ style: Style
  ) -> String {
    func column(_ part: Double) -> Int { Int((part * Double(room - 1)).rounded()) }
    let (line, mark): (Character, Character) = style == .blocks ? ("─", "●") : ("-", "o")
    var text = [Character](repeating: " ", count: room)
    for index in column(low)...column(high) { text[index] = line }
    text[column(middle)] = mark
    return String(text)
  }
}

extension String {
  /// The text without trailing spaces.
  fileprivate var trimmedEnd: String {
    var text = self[...]
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}
