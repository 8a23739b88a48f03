import Foundation

/// A progress display: one line that is overwritten on a terminal, periodic lines elsewhere.
struct ProgressLine {
  private let output: Output
  /// Whether the line is overwritten in place.
  private let isMoving: Bool
  private let pause: Duration
  private var started: ContinuousClock.Instant
  private var shown: ContinuousClock.Instant

  /// Creates a display that is updated at most once per pause.
  ///
  /// The default pause is 100 ms on a terminal and 10 s elsewhere.
  init(
    _ output: Output, pause: Duration? = nil,
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) {
    self.output = output
    let isPlain = !(environment["NO_COLOR"] ?? "").isEmpty || environment["TERM"] == "dumb"
    isMoving = output.isTerminal && !isPlain
    // Plain lines accumulate in a log.
    self.pause = pause ?? (isMoving ? .milliseconds(100) : .seconds(10))
    started = .now
    shown = started
  }

  /// The time since the start, in seconds.
  var elapsed: Double { Self.seconds(.now - started) }

  /// Shows the progress, unless the last update was less than a pause ago.
  ///
  /// - Parameters:
  ///   - fraction: The completed fraction, or nil if the total is unknown.
  ///   - count: The number of samples processed.
  mutating func show(fraction: Double?, count: Int) {
    guard .now - shown >= pause else { return }
    shown = .now
    let text = Self.text(fraction: fraction, count: count, elapsed: elapsed, hasBar: isMoving)
    write(isMoving ? "\r\(text)\u{1B}[K" : text + "\n")
  }

  mutating func clear() {
    if isMoving, shown != started { write("\r\u{1B}[K") }
    shown = started
  }

  /// Writes text and ignores errors, because progress must not fail the work.
  private func write(_ text: String) {
    try? output.write(controls: text)
    try? output.flush()
  }

  static func text(
    fraction: Double?, count: Int, elapsed: Double, hasBar: Bool = true
  ) -> String {
    let fraction = fraction.map { min(max($0, 0), 1) }
    var text = ""
    if let fraction {
      let done = Int(fraction * 30)
      if hasBar {
        text =
          "[" + String(repeating: "#", count: done)
          + String(repeating: ".", count: 30 - done) + "] "
      }
      text += "\(Int(fraction * 100))%".paddedLeft(to: 4) + "  "
    }
    text += "\(Figures.count(count)) samples"
    if elapsed > 0 { text += "  \(Figures.count(Int(Double(count) / elapsed))) samples/s" }
    if elapsed > 0, let fraction, fraction > 0, fraction < 1 {
      let left = Int((elapsed / fraction - elapsed).rounded(.up))
      text += left < 120 ? "  \(left) s left" : "  \(left / 60) min left"
    }
    return text
  }

  static func seconds(_ duration: Duration) -> Double {
    let parts = duration.components
    return Double(parts.seconds) + Double(parts.attoseconds) * 1e-18
  }
}
