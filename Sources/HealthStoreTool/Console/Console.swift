import Foundation

/// The outputs of a command.
struct Console: Sendable {
  let out: Output
  let error: Output

  static let standard = Console(
    out: Output(.standardOutput), error: Output(.standardError))

  /// Prints the result of completed work.
  ///
  /// A closed pipe is ignored, because the exit status also reports the result.
  func report(_ lines: [String]) throws {
    try report(text: lines.map { $0.printable + "\n" }.joined())
  }

  /// Prints the result as text that includes line ends and is already escaped for its format.
  func report(text: String) throws {
    do {
      try out.write(text)
      try out.flush()
    } catch is ClosedOutput {}
  }

  /// Writes a message of the tool to standard error, without buffering.
  func note(_ text: String) { say("healthstore: \(text)") }

  /// Writes a line to standard error, after the output written so far.
  func say(_ line: String) {
    // A failed output throws its error again at the next write and when the tool ends.
    try? out.flush()
    try? error.line(line.printable)
    try? error.flush()
  }
}
