/// An encoding of tables as bytes.
protocol TableFormat {
  /// Receives the bytes in order.
  typealias Write = ([UInt8]) throws -> Void

  /// Encodes what comes before the rows, for columns with these names and types.
  mutating func begin(_ columns: [TableColumn], _ write: Write) throws

  /// Encodes some rows.
  mutating func add(_ columns: [TableColumn], _ write: Write) throws

  /// Encodes what comes after the rows.
  mutating func end(_ write: Write) throws
}
