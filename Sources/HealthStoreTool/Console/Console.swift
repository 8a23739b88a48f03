import Foundation

/// What a command can write to.
struct Console: Sendable {
  let out: Output
  let error: Output

  static let standard = Console(
    out: Output(.standardOutput), error: Output(.standardError))

  /// Prints the result of work that is done.
  ///
  /// Nobody has to read it: the status says what came of the work also when the pipe is closed.
  func report(_ lines: [String]) throws {
    try report(text: lines.map { $0 + "\n" }.joined())
  }

  /// The same with lines that have their ends.
  func report(text: String) throws {
    do {
      try out.write(text)
      try out.flush()
    } catch is ClosedOutput {}
  }

  /// Says something that is no result, at once.
  func note(_ text: String) { say("healthstore: \(text.printable)") }

  /// Says something beside the output that programs read, too.
  func say(_ line: String) {
    // The output keeps its failure for who writes to it next, and the program flushes at its end.
    try? out.flush()
    try? error.line(line)
    try? error.flush()
  }
}

extension String {
  /// The text on one line and without what moves a terminal's cursor or changes its colours.
  ///
  /// Names come from files and arguments, which anybody may have written.
  var printable: String {
    // Nearly all are plain.
    if utf8.allSatisfy({ 0x20..<0x7F ~= $0 }) { return self }
    func isControl(_ scalar: Unicode.Scalar) -> Bool {
      scalar.properties.generalCategory == .control
    }
    guard unicodeScalars.contains(where: isControl) else { return self }
    return unicodeScalars.reduce(into: "") { text, scalar in
      text += isControl(scalar) ? "\\u{\(String(scalar.value, radix: 16))}" : String(scalar)
    }
  }
}
