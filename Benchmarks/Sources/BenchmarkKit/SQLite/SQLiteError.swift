/// What SQLite says when a call fails.
struct SQLiteError: Error, CustomStringConvertible {
  let code: Int32
  let message: String

  var description: String {
    "SQLite error \(code): \(message)"
  }
}
