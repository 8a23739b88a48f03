/// The SVG charts of a page, 360 units wide so that their text is legible on a phone.
struct Chart {
  static let width = 360.0
  private static let left = 54.0
  private static let right = 354.0
  private static let top = 8.0

  struct Column {
    /// The label below the column, such as a day.
    let name: String
    /// The tooltip of the column.
    let hint: String
    /// The stacked parts, each with a CSS class and a value.
    var parts: [(style: String, value: Double)] = []
    /// A range with a mark inside, in place of parts.
    var range: (low: Double, middle: Double, high: Double)?
  }

  /// Draws a column chart with a numeric axis.
  ///
  /// - Parameters:
  ///   - columns: The columns from left to right; one without parts and range is a gap.
  ///   - title: A sentence that describes the chart to screen readers.
  ///   - label: The label of the axis.
  /// - Returns: The chart as SVG.
  static func columns(_ columns: [Column], title: String, label: String) -> Markup {
    let isRange = columns.contains { $0.range != nil }
    let numbers = columns.flatMap { column in
      if let range = column.range { return [range.low, range.high] }
      return column.parts.isEmpty ? [] : [column.parts.reduce(0) { $0 + $1.value }]
    }
    let scale = ChartScale(numbers, fromZero: !isRange)
    let bottom = 150.0
    func y(_ number: Double) -> Double { bottom - scale.part(number) * (bottom - top) }
    var inside: Markup = ""
    for tick in scale.ticks {
      inside += """
        <line class="grid" x1="\(left)" x2="\(right)" y1="\(y(tick))" y2="\(y(tick))"/>\
        <text class="end" x="\(left - 4)" y="\(y(tick) + 4)">\
        \(ReportText.number(tick, scale.digits))</text>

        """
    }
    let step = (right - left) / Double(max(columns.count, 1))
    let gap = step > 4 ? step * 0.2 : 0
    for (index, column) in columns.enumerated() {
      let x = left + Double(index) * step + gap / 2
      if let range = column.range {
        let height = max(y(range.low) - y(range.high), 2)
        inside += """
          <g><title>\(column.hint)</title>\
          <rect class="range" x="\(x)" y="\(y(range.high))" width="\(step - gap)" \
          height="\(height)"/>\
          <rect class="mark" x="\(x)" y="\(y(range.middle) - 1)" width="\(step - gap)" \
          height="2"/></g>

          """
      } else if !column.parts.isEmpty {
        inside += "<g><title>\(column.hint)</title>"
        var sum = 0.0
        for (style, value) in column.parts where value > 0 {
          let (low, high) = (y(sum), y(sum + value))
          inside += """
            <rect class="\(style)" x="\(x)" y="\(high)" width="\(step - gap)" \
            height="\(low - high)"/>
            """
          sum += value
        }
        inside += "</g>\n"
      }
    }
    inside += names(columns.map(\.name), step: step, y: bottom + 14)
    inside += "<text x=\"\(left)\" y=\"\(bottom + 30)\">\(label)</text>"
    return svg(inside, height: bottom + 36, title: title)
  }

  /// Returns the labels below the columns, as many as fit.
  private static func names(_ names: [String], step: Double, y: Double) -> Markup {
    // A name such as 06-30 is 32 units wide.
    let every = max(1, Int((40 / step).rounded(.up)))
    var inside: Markup = ""
    for (index, name) in names.enumerated() where index % every == 0 {
      let x = left + (Double(index) + 0.5) * step
      inside += "<text class=\"middle\" x=\"\(x)\" y=\"\(y)\">\(name)</text>"
    }
    return inside
  }

  /// Returns a chart of horizontal bars, each below its label.
  static func bars(_ bars: [(name: String, value: Double, text: String)], title: String) -> Markup {
    let scale = ChartScale(bars.map(\.value), fromZero: true)
    var inside: Markup = ""
    for (index, bar) in bars.enumerated() {
      let y = Double(index) * 34 + 14
      let length = scale.part(bar.value) * (width - 12)
      inside += """
        <text x="6" y="\(y)">\(shortened(bar.name, 34)): \(bar.text)</text>\
        <rect class="sum" x="6" y="\(y + 5)" width="\(max(length, 1))" height="10"/>

        """
    }
    return svg(inside, height: Double(bars.count) * 34 + 4, title: title)
  }

  /// Returns a grid with a row per name and a mark in each column that is set.
  static func grid(
    _ rows: [(name: String, marks: [Bool])], names columns: [String], title: String
  ) -> Markup {
    let left = 142.0
    let step = (right - left) / Double(max(columns.count, 1))
    let gap = step > 4 ? step * 0.15 : 0
    var inside: Markup = ""
    for (index, row) in rows.enumerated() {
      let y = Double(index) * 16 + 4
      inside +=
        "<text class=\"end\" x=\"\(left - 6)\" y=\"\(y + 10)\">\(shortened(row.name, 21))</text>"
      inside += """
        <rect class="empty" x="\(left)" y="\(y)" width="\(right - left)" height="12"/>
        """
      // Adjacent marks are merged if there is no room for a gap between them.
      var column = 0
      while column < row.marks.count {
        guard row.marks[column] else {
          column += 1
          continue
        }
        let end =
          gap > 0 ? column + 1 : row.marks[column...].firstIndex(of: false) ?? row.marks.count
        let x = left + Double(column) * step + gap / 2
        inside += """
          <rect class="sum" x="\(x)" y="\(y)" width="\(Double(end - column) * step - gap)" \
          height="12"/>
          """
        column = end
      }
      inside += "\n"
    }
    let bottom = Double(rows.count) * 16 + 16
    if let first = columns.first, let last = columns.last {
      inside += "<text x=\"\(left)\" y=\"\(bottom)\">\(first)</text>"
      if columns.count > 1 {
        inside += "<text class=\"end\" x=\"\(right)\" y=\"\(bottom)\">\(last)</text>"
      }
    }
    return svg(inside, height: bottom + 6, title: title)
  }

  private static func shortened(_ name: String, _ length: Int) -> String {
    name.count <= length ? name : name.prefix(length - 1) + "…"
  }

  private static func svg(_ inside: Markup, height: Double, title: String) -> Markup {
    """
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width) \(height)" role="img" \
    aria-label="\(title)">
    \(inside)
    </svg>

    """
  }
}
