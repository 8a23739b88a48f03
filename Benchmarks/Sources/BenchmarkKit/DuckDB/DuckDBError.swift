/// DuckDB's message for a failed call.
struct DuckDBError: Error, CustomStringConvertible {
  let message: String

  var description: String { "DuckDB: \(message)" }
}
