/// SQLite's message for a failed call.
struct SQLiteError: Error, CustomStringConvertible {
  let code: Int32
  let message: String

  var description: String {
    "SQLite error \(code): \(message)"
  }
}
