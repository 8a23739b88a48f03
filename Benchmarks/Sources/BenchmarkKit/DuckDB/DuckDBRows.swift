import CDuckDB

/// A chunk of samples' columns, in the order of ``DuckDBStatements/columns``.
struct DuckDBRows {
  private let sequence: UnsafeBufferPointer<UInt64>
  private let subject: UnsafeBufferPointer<UInt32>
  private let type: UnsafeBufferPointer<UInt8>
  private let start: UnsafeBufferPointer<Int64>
  private let end: UnsafeBufferPointer<Int64>
  private let value: UnsafeBufferPointer<Double>
  private let unit: UnsafeBufferPointer<UInt8>
  private let source: UnsafeBufferPointer<UInt8>
  private let device: UnsafeBufferPointer<UInt8>
  private let identifier: UnsafeBufferPointer<DuckDBWide>
  private let metadata: UnsafeBufferPointer<DuckDBText>
  private let hasMetadata: UnsafePointer<UInt64>?

  init(_ chunk: DuckDBChunk) {
    sequence = chunk.column(0, of: UInt64.self)
    subject = chunk.column(1, of: UInt32.self)
    type = chunk.column(2, of: UInt8.self)
    start = chunk.column(3, of: Int64.self)
    end = chunk.column(4, of: Int64.self)
    value = chunk.column(5, of: Double.self)
    unit = chunk.column(6, of: UInt8.self)
    source = chunk.column(7, of: UInt8.self)
    device = chunk.column(8, of: UInt8.self)
    identifier = chunk.column(9, of: DuckDBWide.self)
    metadata = chunk.column(10, of: DuckDBText.self)
    hasMetadata = chunk.validity(10)
  }

  /// Copies the columns of a row.
  @inline(__always)
  func read(_ index: Int, into row: inout BenchmarkRow) {
    row.sequence = sequence[index]
    row.subject = subject[index]
    row.type = type[index]
    row.start = start[index]
    row.end = end[index]
    row.value = value[index]
    row.unit = unit[index]
    row.source = source[index]
    row.device = device[index]
    row.identifier = identifier[index].identifier
    if hasMetadata?.holds(index) ?? true, let texts = metadata.baseAddress {
      row.metadata.assign(texts + index)
    } else {
      row.metadata.clear()
    }
  }
}
