import CDuckDB

/// An open DuckDB database, closed with its last connection.
final class DuckDBDatabase {
  let functions: UnsafePointer<DuckDBFunctions>
  fileprivate private(set) var handle: DuckDBHandle?

  init(path: String) throws {
    functions = try DuckDBLibrary.functions()
    guard functions.pointee.open(path, &handle) == 0 else {
      throw DuckDBError(message: "cannot open \(path)")
    }
  }

  deinit { functions.pointee.close(&handle) }
}

/// A connection to a database, for one thread at a time.
package final class DuckDBConnection {
  let database: DuckDBDatabase
  private(set) var handle: DuckDBHandle?

  init(_ database: DuckDBDatabase) throws {
    self.database = database
    guard functions.pointee.connect(database.handle, &handle) == 0 else {
      throw DuckDBError(message: "cannot connect")
    }
  }

  /// Opens a database; `:memory:` is a database without a file.
  package convenience init(path: String) throws { try self.init(DuckDBDatabase(path: path)) }

  deinit { functions.pointee.disconnect(&handle) }

  var functions: UnsafePointer<DuckDBFunctions> { database.functions }

  /// Runs statements without results.
  package func execute(_ sql: String) throws {
    var result = DuckDBResult()
    defer { functions.pointee.destroy_result(&result) }
    guard functions.pointee.query(handle, sql, &result) == 0 else { throw error(&result) }
  }

  /// Compiles a statement for repeated use.
  package func prepare(_ sql: String) throws -> DuckDBStatement {
    var statement: DuckDBHandle?
    guard functions.pointee.prepare(handle, sql, &statement) == 0 else {
      defer { functions.pointee.destroy_prepare(&statement) }
      throw DuckDBError(message: "\(text(functions.pointee.prepare_error(statement))): \(sql)")
    }
    return DuckDBStatement(statement, self)
  }

  func error(_ result: inout DuckDBResult) -> DuckDBError {
    DuckDBError(message: text(functions.pointee.result_error(&result)))
  }

  func text(_ characters: UnsafePointer<CChar>?) -> String {
    characters.map { String(cString: $0) } ?? "a call failed"
  }
}
