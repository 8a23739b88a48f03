import CDuckDB

/// Appends samples to the table of samples, a chunk of columns at a time.
final class DuckDBAppender {
  private static let types = [
    DuckDBTypeInteger64, DuckDBTypeUnsigned32, DuckDBTypeByte, DuckDBTypeInteger64,
    DuckDBTypeInteger64, DuckDBTypeDouble, DuckDBTypeByte, DuckDBTypeByte, DuckDBTypeByte,
    DuckDBTypeUUID, DuckDBTypeText,
  ]

  private let connection: DuckDBConnection
  private var appender: DuckDBHandle?
  private var chunk: DuckDBHandle?
  private let capacity: Int
  private var functions: UnsafePointer<DuckDBFunctions> { connection.functions }

  init(_ connection: DuckDBConnection) throws {
    self.connection = connection
    let functions = connection.functions
    capacity = Int(functions.pointee.vector_size())
    var types = Self.types.map { functions.pointee.create_logical_type(Int32($0)) }
    chunk = functions.pointee.create_data_chunk(&types, UInt64(types.count))
    for index in types.indices { functions.pointee.destroy_logical_type(&types[index]) }
    guard functions.pointee.appender_create(connection.handle, nil, "samples", &appender) == 0
    else {
      throw DuckDBError(message: connection.text(functions.pointee.appender_error(appender)))
    }
  }

  deinit {
    _ = functions.pointee.appender_destroy(&appender)
    functions.pointee.destroy_data_chunk(&chunk)
  }

  /// Appends samples to the current transaction.
  func append(_ samples: ArraySlice<StreamSample>) throws {
    var rest = samples
    while !rest.isEmpty {
      fill(rest.prefix(capacity))
      try check(functions.pointee.append_data_chunk(appender, chunk))
      rest = rest.dropFirst(capacity)
    }
    try check(functions.pointee.appender_flush(appender))
  }

  private func fill(_ samples: ArraySlice<StreamSample>) {
    functions.pointee.data_chunk_reset(chunk)
    func column<Value>(_ index: UInt64, _ type: Value.Type, _ value: (StreamSample) -> Value) {
      let vector = functions.pointee.data_chunk_get_vector(chunk, index)
      guard let data = functions.pointee.vector_get_data(vector) else { return }
      var next = data.assumingMemoryBound(to: type)
      for sample in samples {
        next.initialize(to: value(sample))
        next += 1
      }
    }
    column(0, Int64.self) { Int64($0.sequence) }
    column(1, UInt32.self) { $0.subject }
    column(2, UInt8.self) { $0.type }
    column(3, Int64.self) { $0.start }
    column(4, Int64.self) { $0.end }
    column(5, Double.self) { $0.value }
    column(6, UInt8.self) { $0.unit }
    column(7, UInt8.self) { $0.source }
    column(8, UInt8.self) { $0.device }
    column(9, DuckDBWide.self) { DuckDBWide(column: $0.identifier) }
    fillMetadata(samples, functions.pointee.data_chunk_get_vector(chunk, 10))
    functions.pointee.data_chunk_set_size(chunk, UInt64(samples.count))
  }

  private func fillMetadata(_ samples: ArraySlice<StreamSample>, _ vector: DuckDBHandle?) {
    functions.pointee.vector_ensure_validity_writable(vector)
    guard let validity = functions.pointee.vector_get_validity(vector) else { return }
    for (row, sample) in samples.enumerated() {
      let text = StreamMetadata.text(type: sample.type, metadata: sample.metadata)
      if let text, let bytes = text.baseAddress {
        functions.pointee.vector_assign_string_element_len(
          vector, UInt64(row), bytes.assumingMemoryBound(to: CChar.self), UInt64(text.count))
      } else {
        functions.pointee.validity_set_row_invalid(validity, UInt64(row))
      }
    }
  }

  private func check(_ state: Int32) throws {
    guard state == 0 else {
      throw DuckDBError(message: connection.text(functions.pointee.appender_error(appender)))
    }
  }
}
