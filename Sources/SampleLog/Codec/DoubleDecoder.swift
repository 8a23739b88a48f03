/// A column of doubles whose parameters have been read and checked against its length.
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
  let places: UnsafeRawPointer

  /// Reads a column that takes all bytes left; ``RawMemory/slack`` bytes behind must be readable.
  package init(
    _ reader: inout ByteReader, count: Int, forOneRow: Bool = false
  ) throws(CodecError) {
    self.count = count
    guard let kind = reader.byte() else { throw CodecError("cut column of doubles") }
    var exceptions = 0
    var places = UnsafeRawPointer(bitPattern: 8).unsafelyUnwrapped
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
      if let base = table.baseAddress { places = base }
      form = .modelled(
        DoubleModel(kind: kind, exponent: Int(exponent)),
        try IntegerColumn(&reader, count: count, forOneRow: forOneRow))
    case DoubleCodec.afterStart:
      form = .afterStart(try IntegerColumn(&reader, count: count, forOneRow: forOneRow))
    default:
      throw CodecError("unknown encoding of doubles")
    }
    self.exceptions = exceptions
    self.places = places
    for index in 0..<exceptions where place(index) >= count {
      throw CodecError("exception beyond the last double")
    }
  }

  private func place(_ index: Int) -> Int {
    Int(UInt16(littleEndian: places.loadUnaligned(fromByteOffset: index * 2, as: UInt16.self)))
  }

  private func exception(_ index: Int) -> Double {
    let offset = exceptions * 2 + index * 8
    return Double(
      bitPattern: UInt64(
        littleEndian: places.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    )
  }

  /// Writes all numbers of a column that does not need the start column.
  ///
  /// `scratch` is room for `count` integers; those of the model are in it afterwards.
  package func decode(
    into out: UnsafeMutablePointer<Double>, scratch: UnsafeMutablePointer<Int64>
  ) throws(CodecError) {
    switch form {
    case .raw(let base):
      UnsafeMutableRawPointer(out).copyMemory(from: base, byteCount: count * 8)
    case .planes(let memory):
      defer { withExtendedLifetime(memory) {} }
      let planes = memory.base.assumingMemoryBound(to: UInt8.self)
      for row in 0..<count {
        var bits: UInt64 = 0
        for plane in 0..<8 {
          bits |= UInt64(planes[plane &* count &+ row]) &<< UInt64(truncatingIfNeeded: plane &* 8)
        }
        out[row] = Double(bitPattern: bits)
      }
    case .modelled(let model, let integers):
      if let constant = integers.constant {
        scratch[0] = constant
        model.decode(scratch, count: 1, into: out)
        let value = out[0]
        out.update(repeating: value, count: count)
      } else {
        integers.decode(into: scratch)
        model.decode(scratch, count: count, into: out)
      }
      for index in 0..<exceptions { out[place(index)] = exception(index) }
    case .sameAsStart, .afterStart:
      throw CodecError("distances from start dates outside the end column")
    }
  }

  /// Writes all end dates.
  ///
  /// `start` is the start column of the same rows, `starts` the decoded start dates if they have
  /// been decoded, and `scratch` room for twice `count` integers.
  package func decodeEnds(
    start: DoubleColumn, starts: UnsafePointer<Double>?,
    into out: UnsafeMutablePointer<Double>, scratch: UnsafeMutablePointer<Int64>
  ) throws(CodecError) {
    switch form {
    case .sameAsStart:
      if let starts {
        out.update(from: starts, count: count)
      } else {
        try start.decode(into: out, scratch: scratch)
      }
    case .afterStart(let distances):
      guard case .modelled(let model, let integers) = start.form, start.exceptions == 0 else {
        throw CodecError("distances from start dates that are no integers")
      }
      integers.decode(into: scratch)
      if let constant = distances.constant {
        for index in 0..<count { scratch[index] &+= constant }
      } else {
        let more = scratch + count
        distances.decode(into: more)
        for index in 0..<count { scratch[index] &+= more[index] }
      }
      model.decode(scratch, count: count, into: out)
    default:
      try decode(into: out, scratch: scratch)
    }
  }

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

  private static func single(_ model: DoubleModel, _ integer: Int64) -> Double {
    var value = 0.0
    withUnsafePointer(to: integer) { model.decode($0, count: 1, into: &value) }
    return value
  }
}
