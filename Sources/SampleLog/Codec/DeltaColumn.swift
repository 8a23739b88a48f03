/// A column of steadily changing doubles whose parameters have been decoded and validated.
package struct DeltaColumn {
  private enum Form {
    case constant(Double)
    case same
    case deltas(heads: [Int64], DoubleColumn)
    case doubles(DoubleColumn)
  }

  private let form: Form
  private let count: Int

  /// Decodes the parameters of a column that extends to the end of the reader.
  ///
  /// ``RawMemory/slack`` bytes after it must be readable.
  package init(_ reader: inout ByteReader, count: Int) throws(CodecError) {
    self.count = count
    switch reader.byte() {
    case DeltaCodec.constant:
      guard let value = reader.double(), reader.isAtEnd else {
        throw CodecError("wrong length of a constant")
      }
      form = .constant(value)
    case DeltaCodec.same:
      guard reader.isAtEnd else { throw CodecError("wrong length of a repeated column") }
      form = .same
    case DeltaCodec.deltas:
      guard let order = reader.byte(), Int(order) <= DeltaCodec.maximumOrder, Int(order) < count
      else { throw CodecError("impossible order of deltas") }
      var heads: [Int64] = []
      for _ in 0..<order {
        guard let head = reader.varint() else { throw CodecError("cut deltas") }
        heads.append(IntegerCodec.unzigzag(head))
      }
      form = .deltas(
        heads: heads,
        try DoubleColumn(
          &reader, count: count, skipping: Int(order), forOneRow: false))
    case DeltaCodec.doubles:
      form = .doubles(try DoubleColumn(&reader, count: count))
    default:
      throw CodecError("unknown encoding of deltas")
    }
  }

  /// Decodes all numbers.
  ///
  /// `previous` is the previous column, and `scratch` has room for `count` integers.
  package func decode(
    after previous: UnsafePointer<Double>?, into out: UnsafeMutablePointer<Double>,
    scratch: UnsafeMutablePointer<Int64>
  ) throws(CodecError) {
    switch form {
    case .constant(let value): out.update(repeating: value, count: count)
    case .same:
      guard let previous else { throw CodecError("no column before the first") }
      out.update(from: previous, count: count)
    case .doubles(let column): try column.decode(into: out, scratch: scratch)
    case .deltas(let heads, let column):
      guard case .modelled(let model, let integers) = column.form else {
        throw CodecError("deltas of doubles that are no integers")
      }
      for (index, head) in heads.enumerated() { scratch[index] = head }
      integers.decode(into: scratch + heads.count)
      DeltaCodec.sum(scratch, count: count, order: heads.count)
      model.decode(scratch, count: count, into: out)
      for index in 0..<column.exceptions {
        out[column.position(index)] = column.exception(index)
      }
    }
  }
}
