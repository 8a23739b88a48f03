extension DoubleColumn {
  /// Returns one number of a column that does not depend on the start column.
  package func decode(row: Int) throws(CodecError) -> Double {
    defer { withExtendedLifetime(self) {} }
    return try RandomAccessDoubles(self)[row]
  }

  /// Returns the end date of one row.
  package func decodeEnd(row: Int, start: DoubleColumn) throws(CodecError) -> Double {
    defer { withExtendedLifetime((self, start)) {} }
    return try RandomAccessDoubles(self, start: start).number(
      row, start: RandomAccessDoubles(start))
  }

  static func single(_ model: DoubleModel, _ integer: Int64) -> Double {
    var value = 0.0
    withUnsafePointer(to: integer) { model.decode($0, count: 1, into: &value) }
    return value
  }
}
