import CDuckDB

/// Up to a few thousand rows by column.
///
/// Valid until the body returns.
package struct DuckDBChunk {
  private let handle: DuckDBHandle?
  private let functions: UnsafePointer<DuckDBFunctions>
  /// The number of rows.
  package let count: Int

  init(_ handle: DuckDBHandle?, _ functions: UnsafePointer<DuckDBFunctions>) {
    self.handle = handle
    self.functions = functions
    count = Int(functions.pointee.data_chunk_get_size(handle))
  }

  /// The values of a column, which must have the given type.
  package func column<Value>(_ index: UInt64, of type: Value.Type) -> UnsafeBufferPointer<Value> {
    let vector = functions.pointee.data_chunk_get_vector(handle, index)
    let data = functions.pointee.vector_get_data(vector)
    return UnsafeBufferPointer(start: data?.assumingMemoryBound(to: type), count: count)
  }

  /// The validity bits of a column, of which a row with null has none set; nil if no row has null.
  func validity(_ index: UInt64) -> UnsafePointer<UInt64>? {
    let vector = functions.pointee.data_chunk_get_vector(handle, index)
    return UnsafePointer(functions.pointee.vector_get_validity(vector))
  }
}

extension UnsafePointer<UInt64> {
  /// Whether a row's bit is set.
  @inline(__always)
  func holds(_ row: Int) -> Bool { self[row >> 6] >> UInt64(row & 63) & 1 == 1 }
}

extension DuckDBWide {
  /// The column's representation of an identifier.
  @inline(__always)
  init(column identifier: StreamIdentifier) {
    self.init(low: identifier.low, high: identifier.high ^ 1 << 63)
  }

  /// The identifier in a column.
  @inline(__always)
  var identifier: StreamIdentifier { StreamIdentifier(high: high ^ 1 << 63, low: low) }
}

extension RowText {
  /// Replaces the text by the text in a column.
  @inline(__always)
  mutating func assign(_ text: UnsafePointer<DuckDBText>) {
    let count = Int(text.pointee.length)
    let inside = UnsafeRawPointer(text) + 4
    let start = count <= 12 ? inside : text.pointee.characters.map { UnsafeRawPointer($0) }
    assign(UnsafeRawBufferPointer(start: start, count: count))
  }
}
