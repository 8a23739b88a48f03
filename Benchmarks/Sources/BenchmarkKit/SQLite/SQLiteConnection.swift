import CSQLite

/// An open SQLite database.
package final class SQLiteConnection {
  private let handle: OpaquePointer

  package init(path: String) throws {
    var handle: OpaquePointer?
    let code = sqlite3_open(path, &handle)
    guard code == SQLITE_OK, let handle else {
      sqlite3_close(handle)
      throw SQLiteError(code: code, message: "cannot open \(path)")
    }
    self.handle = handle
  }

  deinit {
    // Statements that outlive the connection keep it open until the last of them is finalised.
    sqlite3_close_v2(handle)
  }

  /// Runs statements without results.
  package func execute(_ sql: String) throws {
    let code = sqlite3_exec(handle, sql, nil, nil, nil)
    guard code == SQLITE_OK else { throw error(code) }
  }

  /// Compiles a statement for repeated use.
  package func prepare(_ sql: String) throws -> SQLiteStatement {
    var statement: OpaquePointer?
    let flags = UInt32(SQLITE_PREPARE_PERSISTENT)
    let code = sqlite3_prepare_v3(handle, sql, -1, flags, &statement, nil)
    guard code == SQLITE_OK, let statement else { throw error(code) }
    return SQLiteStatement(statement)
  }

  private func error(_ code: Int32) -> SQLiteError {
    SQLiteError(code: code, message: String(cString: sqlite3_errmsg(handle)))
  }
}
