import Foundation

/// What a command can write to.
struct Console: Sendable {
  let out: Output
  let error: Output

  static let standard = Console(
    out: Output(.standardOutput), error: Output(.standardError))

  /// Says something that is no result, at once.
  func note(_ text: String) {
    try? out.flush()
    try? error.line("healthstore: \(text)")
    try? error.flush()
  }
}
