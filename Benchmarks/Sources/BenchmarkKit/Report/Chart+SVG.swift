extension Chart {
  /// The chart as an SVG drawing, readable on a light and on a dark page.
  package var svg: String {
    let left = 120.0
    let width = 430.0
    let height = Double(bars.count) * 30 + 64
    let better = isMoreBetter ? "more is better" : "less is better"
    let scale = isLogarithmic ? ", logarithmic" : ""
    var lines = [
      """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 680 \(Self.text(height))" \
      width="680" height="\(Self.text(height))" role="img" aria-label="\(Self.escaped(title))">
      """,
      """
      <style>
      text { font: 13px system-ui, sans-serif; fill: #24292f }
      .title { font-weight: 600; font-size: 15px }
      .note { fill: #57606a; font-size: 12px }
      .bar { fill: #8c959f } .own { fill: #0969da } .spread { stroke: #24292f }
      @media (prefers-color-scheme: dark) {
        text { fill: #e6edf3 } .note { fill: #9198a1 }
        .bar { fill: #6e7681 } .own { fill: #4493f8 } .spread { stroke: #e6edf3 }
      }
      </style>
      """,
      "<text class=\"title\" x=\"8\" y=\"22\">\(Self.escaped(title))</text>",
      "<text class=\"note\" x=\"8\" y=\"42\">\(Self.escaped(unit)), \(better)\(scale)</text>",
    ]
    for (number, bar) in bars.enumerated() {
      let top = 56 + Double(number) * 30
      let length = max(1, self.length(bar.value) * width)
      let middle = Self.text(top + 10)
      lines.append(
        "<text x=\"\(Self.text(left - 8))\" y=\"\(Self.text(top + 15))\" text-anchor=\"end\">"
          + "\(Self.escaped(bar.name))</text>")
      lines.append(
        "<rect class=\"\(number == 0 ? "own" : "bar")\" x=\"\(Self.text(left))\" "
          + "y=\"\(Self.text(top))\" width=\"\(Self.text(length))\" height=\"20\" rx=\"2\"/>")
      var end = left + length
      if bar.minimum < bar.maximum {
        let low = left + self.length(bar.minimum) * width
        let high = left + self.length(bar.maximum) * width
        end = max(end, high)
        lines.append(
          "<line class=\"spread\" x1=\"\(Self.text(low))\" x2=\"\(Self.text(high))\" "
            + "y1=\"\(middle)\" y2=\"\(middle)\"/>")
      }
      lines.append(
        "<text x=\"\(Self.text(end + 8))\" y=\"\(Self.text(top + 15))\">"
          + "\(bar.value.short)</text>")
    }
    lines.append("</svg>")
    return lines.joined(separator: "\n") + "\n"
  }

  private static func text(_ number: Double) -> String {
    let rounded = number.rounded(toPlaces: 1)
    return rounded == rounded.rounded() ? "\(Int(rounded))" : "\(rounded)"
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
      .replacing(">", with: "&gt;").replacing("\"", with: "&quot;")
  }
}
