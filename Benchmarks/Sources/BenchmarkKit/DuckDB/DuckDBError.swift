/// What DuckDB says when a call fails.
struct DuckDBError: Error, CustomStringConvertible {
  let message: String

  var description: String { "DuckDB: \(message)" }
}
