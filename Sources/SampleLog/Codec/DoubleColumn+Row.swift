extension DoubleColumn {
  /// Returns one number of a column that does not need the start column.
  package func decode(row: Int) throws(CodecError) -> Double {
    switch form {
    case .raw(let base):
      return Double(
        bitPattern: UInt64(
          littleEndian: base.loadUnaligned(fromByteOffset: row * 8, as: UInt64.self)))
    case .planes(let memory):
      defer { withExtendedLifetime(memory) {} }
      var bits: UInt64 = 0
      for plane in 0..<8 { bits |= UInt64(memory.bytes[plane * count + row]) << UInt64(plane * 8) }
      return Double(bitPattern: bits)
    case .modelled(let model, let integers):
      for index in 0..<exceptions where place(index) == row { return exception(index) }
      return DoubleColumn.single(model, integers.decode(row: row))
    case .sameAsStart, .afterStart:
      throw CodecError("distances from start dates outside the end column")
    }
  }

  /// Returns one end date.
  package func decodeEnd(
    row: Int, start: DoubleColumn
  ) throws(CodecError) -> Double {
    switch form {
    case .sameAsStart:
      return try start.decode(row: row)
    case .afterStart(let distances):
      guard case .modelled(let model, let integers) = start.form, start.exceptions == 0 else {
        throw CodecError("distances from start dates that are no integers")
      }
      let from = integers.decode(row: row)
      return DoubleColumn.single(model, from &+ distances.decode(row: row))
    default:
      return try decode(row: row)
    }
  }

  static func single(_ model: DoubleModel, _ integer: Int64) -> Double {
    var value = 0.0
    withUnsafePointer(to: integer) { model.decode($0, count: 1, into: &value) }
    return value
  }
}
