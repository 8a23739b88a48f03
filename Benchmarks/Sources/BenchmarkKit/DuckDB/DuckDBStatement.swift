import CDuckDB

/// A compiled statement with bound parameters.
package final class DuckDBStatement {
  private var handle: DuckDBHandle?
  private let connection: DuckDBConnection
  private var functions: UnsafePointer<DuckDBFunctions> { connection.functions }

  init(_ handle: DuckDBHandle?, _ connection: DuckDBConnection) {
    self.handle = handle
    self.connection = connection
  }

  deinit { functions.pointee.destroy_prepare(&handle) }

  func bind(_ value: Int64, at index: UInt64) throws {
    try check(functions.pointee.bind_int64(handle, index, value))
  }

  func bind(_ value: Double, at index: UInt64) throws {
    try check(functions.pointee.bind_double(handle, index, value))
  }

  func bind(_ identifier: StreamIdentifier, at index: UInt64) throws {
    var value = functions.pointee.create_uuid(
      DuckDBWide(low: identifier.low, high: identifier.high))
    defer { functions.pointee.destroy_value(&value) }
    try check(functions.pointee.bind_value(handle, index, value))
  }

  /// Runs the statement and passes its results to the body, in order.
  package func run(_ body: (DuckDBChunk) throws -> Void = { _ in }) throws {
    var result = DuckDBResult()
    defer { functions.pointee.destroy_result(&result) }
    guard functions.pointee.execute_prepared(handle, &result) == 0 else {
      throw connection.error(&result)
    }
    while let next = functions.pointee.fetch_chunk(result) {
      var chunk: DuckDBHandle? = next
      defer { functions.pointee.destroy_data_chunk(&chunk) }
      try body(DuckDBChunk(chunk, functions))
    }
  }

  private func check(_ state: Int32) throws {
    guard state == 0 else {
      throw DuckDBError(message: connection.text(functions.pointee.prepare_error(handle)))
    }
  }
}
