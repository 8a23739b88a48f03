/// A key-value store's message for a failed call.
struct KeyValueError: Error, CustomStringConvertible {
  let store: String
  let message: String

  var description: String { "\(store): \(message)" }

  /// Converts the error string of a C API to an error, and frees it with `free`.
  static func check(
    _ store: String, _ text: UnsafeMutablePointer<CChar>?,
    free: (UnsafeMutableRawPointer?) -> Void
  ) throws {
    guard let text else { return }
    defer { free(text) }
    throw KeyValueError(store: store, message: String(cString: text))
  }
}
