/// A binary file format for tables.
protocol TableFormat {
  /// Receives the encoded bytes in order.
  typealias Write = ([UInt8]) throws -> Void

  /// Encodes the header, for columns with these names and types.
  mutating func begin(_ columns: [TableColumn], _ write: Write) throws

  /// Encodes a group of rows.
  mutating func add(_ columns: [TableColumn], _ write: Write) throws

  /// Encodes the footer.
  mutating func end(_ write: Write) throws
}
