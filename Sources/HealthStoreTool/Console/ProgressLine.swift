/// A line on a terminal that says how far the work is; nothing where nobody looks.
struct ProgressLine {
  private let output: Output
  private var started: ContinuousClock.Instant
  private var shown: ContinuousClock.Instant?

  init(_ output: Output) {
    self.output = output
    started = .now
  }

  /// Seconds since the start.
  var elapsed: Double { Self.seconds(.now - started) }

  /// Shows how much is done, ten times a second at most.
  ///
  /// - Parameters:
  ///   - fraction: How much of the whole; nil when that is not known.
  ///   - count: Samples done.
  mutating func show(fraction: Double?, count: Int) {
    guard output.isTerminal else { return }
    if let shown, .now - shown < .milliseconds(100) { return }
    shown = .now
    let text = Self.text(fraction: fraction, count: count, elapsed: elapsed)
    try? output.write("\r\(text)\u{1B}[K")
    try? output.flush()
  }

  /// Removes the line.
  mutating func clear() {
    guard shown != nil else { return }
    shown = nil
    try? output.write("\r\u{1B}[K")
    try? output.flush()
  }

  static func text(fraction: Double?, count: Int, elapsed: Double) -> String {
    var text = ""
    if let fraction {
      let fraction = min(max(fraction, 0), 1)
      let done = Int(fraction * 30)
      text =
        "[" + String(repeating: "#", count: done)
        + String(repeating: ".", count: 30 - done) + "] "
      text += "\(Int(fraction * 100))%".paddedLeft(to: 4) + "  "
    }
    text += "\(Figures.count(count)) samples"
    if elapsed > 0 { text += "  \(Figures.count(Int(Double(count) / elapsed))) samples/s" }
    return text
  }

  static func seconds(_ duration: Duration) -> Double {
    let parts = duration.components
    return Double(parts.seconds) + Double(parts.attoseconds) * 1e-18
  }
}
