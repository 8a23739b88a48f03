import CSQLite

/// A compiled statement: bind, step, read columns, reset.
package final class SQLiteStatement {
  private let handle: OpaquePointer
  // SQLite reads a bound identifier in place, so its bytes must not move.
  private let identifierBytes = UnsafeMutableRawPointer.allocate(byteCount: 16, alignment: 8)

  init(_ handle: OpaquePointer) {
    self.handle = handle
  }

  deinit {
    sqlite3_finalize(handle)
    identifierBytes.deallocate()
  }

  @inline(__always)
  package func bind(_ value: Int64, at index: Int32) {
    sqlite3_bind_int64(handle, index, value)
  }

  @inline(__always)
  package func bind(_ value: Double, at index: Int32) {
    sqlite3_bind_double(handle, index, value)
  }

  /// Binds a text that outlives the statement's use, or null.
  @inline(__always)
  package func bind(_ text: UnsafeRawBufferPointer?, at index: Int32) {
    if let text, let bytes = text.baseAddress {
      let characters = bytes.assumingMemoryBound(to: CChar.self)
      sqlite3_bind_text(handle, index, characters, Int32(text.count), nil)
    } else {
      sqlite3_bind_null(handle, index)
    }
  }

  /// Binds an identifier.
  ///
  /// A statement has room for one.
  @inline(__always)
  package func bind(_ identifier: StreamIdentifier, at index: Int32) {
    identifierBytes.storeBytes(of: identifier.high.bigEndian, as: UInt64.self)
    identifierBytes.storeBytes(of: identifier.low.bigEndian, toByteOffset: 8, as: UInt64.self)
    sqlite3_bind_blob(handle, index, identifierBytes, 16, nil)
  }

  /// Steps to the next row.
  ///
  /// Returns false at the end.
  @inline(__always)
  package func step() throws -> Bool {
    switch sqlite3_step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case let code:
      let message = String(cString: sqlite3_errmsg(sqlite3_db_handle(handle)))
      throw SQLiteError(code: code, message: message)
    }
  }

  @inline(__always)
  package func reset() {
    sqlite3_reset(handle)
  }

  /// Runs a statement without results and resets it for the next run.
  @inline(__always)
  package func run() throws {
    defer { reset() }
    _ = try step()
  }

  @inline(__always)
  package func integer(_ column: Int32) -> Int64 {
    sqlite3_column_int64(handle, column)
  }

  @inline(__always)
  package func byte(_ column: Int32) -> UInt8 {
    UInt8(truncatingIfNeeded: sqlite3_column_int(handle, column))
  }

  @inline(__always)
  package func double(_ column: Int32) -> Double {
    sqlite3_column_double(handle, column)
  }

  /// The identifier in a column, or nil if it does not hold sixteen bytes.
  @inline(__always)
  package func identifier(_ column: Int32) -> StreamIdentifier? {
    guard let bytes = sqlite3_column_blob(handle, column),
      sqlite3_column_bytes(handle, column) == 16
    else { return nil }
    return StreamIdentifier(
      high: UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)),
      low: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
    )
  }

  /// The text in a column, valid until the next step, or nil for null.
  @inline(__always)
  package func text(_ column: Int32) -> UnsafeRawBufferPointer? {
    guard let bytes = sqlite3_column_text(handle, column) else { return nil }
    return UnsafeRawBufferPointer(start: bytes, count: Int(sqlite3_column_bytes(handle, column)))
  }
}
