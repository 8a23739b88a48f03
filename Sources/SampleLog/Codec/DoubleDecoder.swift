/// A column of doubles whose parameters have been decoded and validated against its length.
package struct DoubleColumn {
  enum Form {
    case raw(UnsafeRawPointer)
    case planes(RawMemory)
    case modelled(DoubleModel, IntegerColumn)
    case sameAsStart
    case afterStart(IntegerColumn)
  }

  package let count: Int
  let form: Form
  let exceptions: Int
  let positions: UnsafeRawPointer

  /// Decodes the parameters of a column that extends to the end of the reader.
  ///
  /// ``RawMemory/slack`` bytes after it must be readable.
  package init(
    _ reader: inout ByteReader, count: Int, forOneRow: Bool = false
  ) throws(CodecError) {
    try self.init(&reader, count: count, skipping: 0, forOneRow: forOneRow)
  }

  /// Decodes the parameters of a column in which the integers of the first `skipped` numbers are
  /// stored elsewhere.
  init(
    _ reader: inout ByteReader, count: Int, skipping skipped: Int, forOneRow: Bool
  ) throws(CodecError) {
    self.count = count
    guard let kind = reader.byte() else { throw CodecError("cut column of doubles") }
    var exceptions = 0
    var positions = UnsafeRawPointer(bitPattern: 8).unsafelyUnwrapped
    switch kind {
    case DoubleCodec.raw, DoubleCodec.planes, DoubleCodec.sameAsStart:
      guard let written = reader.varint(), written == UInt64(count) else {
        throw CodecError("wrong count of doubles")
      }
      guard let bytes = reader.slice(reader.remaining) else { throw CodecError("cut doubles") }
      if kind == DoubleCodec.raw {
        guard bytes.count == count * 8, let base = bytes.baseAddress else {
          throw CodecError("wrong length of doubles")
        }
        form = .raw(base)
      } else if kind == DoubleCodec.planes {
        form = .planes(try Compression.decompress(bytes, count: count * 8))
      } else {
        guard bytes.isEmpty else { throw CodecError("wrong length of doubles") }
        form = .sameAsStart
      }
    case DoubleCodec.decimal, DoubleCodec.epochDecimal, DoubleCodec.binary:
      let limit =
        kind == DoubleCodec.binary
        ? DoubleCodec.maximumBinaryExponent : DoubleCodec.maximumDecimalExponent
      guard let exponent = reader.byte(), Int(exponent) <= limit else {
        throw CodecError("impossible scale of doubles")
      }
      guard let written = reader.varint(), written <= UInt64(count),
        let table = reader.slice(Int(written) * 10)
      else { throw CodecError("impossible count of doubles") }
      exceptions = Int(written)
      if let base = table.baseAddress { positions = base }
      form = .modelled(
        DoubleModel(kind: kind, exponent: Int(exponent)),
        try IntegerColumn(&reader, count: count - skipped, forOneRow: forOneRow))
    case DoubleCodec.afterStart:
      form = .afterStart(try IntegerColumn(&reader, count: count, forOneRow: forOneRow))
    default:
      throw CodecError("unknown encoding of doubles")
    }
    self.exceptions = exceptions
    self.positions = positions
    for index in 0..<exceptions where position(index) >= count {
      throw CodecError("exception beyond the last double")
    }
  }

  func position(_ index: Int) -> Int {
    Int(UInt16(littleEndian: positions.loadUnaligned(fromByteOffset: index * 2, as: UInt16.self)))
  }

  func exception(_ index: Int) -> Double {
    let offset = exceptions * 2 + index * 8
    return Double(
      bitPattern: UInt64(
        littleEndian: positions.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    )
  }
}
