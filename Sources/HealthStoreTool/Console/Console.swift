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
    try report(text: lines.map { $0.printable + "\n" }.joined())
  }

  /// Prints text that has line ends, and whose names are escaped by the rules of its format.
  func report(text: String) throws {
    do {
      try out.write(text)
      try out.flush()
    } catch is ClosedOutput {}
  }

  /// Says something that is no result, at once.
  func note(_ text: String) { say("healthstore: \(text)") }

  /// Says something beside the output that programs read, too.
  func say(_ line: String) {
    // The output keeps its failure for who writes to it next, and the program flushes at its end.
    try? out.flush()
    try? error.line(line.printable)
    try? error.flush()
  }
}
