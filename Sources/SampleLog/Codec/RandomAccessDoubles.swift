/// Random access into an encoded double column; takes 80 bytes.
///
/// It points into memory of the column that its owner must keep alive.
struct RandomAccessDoubles {
  private enum Form: UInt8 {
    case raw, planes, modelled, sameAsStart, afterStart
  }

  private let integers: RandomAccessIntegers
  /// The numbers themselves, or the positions of exceptions followed by their values.
  private let bytes: UnsafeRawPointer
  private let count: UInt16
  private let exceptions: UInt16
  private let form: Form
  private let kind: UInt8
  private let exponent: UInt8

  /// Creates random access into a column.
  ///
  /// A column of end dates requires the start column.
  init(_ column: DoubleColumn, start: DoubleColumn? = nil) throws(CodecError) {
    var integers: IntegerColumn?
    var model: DoubleModel?
    var bytes = column.positions
    switch column.form {
    case .raw(let base): (form, bytes) = (.raw, base)
    case .planes(let memory): (form, bytes) = (.planes, UnsafeRawPointer(memory.base))
    case .modelled(let own, let numbers): (form, model, integers) = (.modelled, own, numbers)
    case .sameAsStart:
      guard start != nil else { throw Self.strayDistances }
      form = .sameAsStart
    case .afterStart(let distances):
      guard let start else { throw Self.strayDistances }
      guard case .modelled(let own, _) = start.form, start.exceptions == 0 else {
        throw CodecError("distances from start dates that are no integers")
      }
      (form, model, integers) = (.afterStart, own, distances)
    }
    self.integers = integers.map { RandomAccessIntegers($0) } ?? .zero
    self.bytes = bytes
    count = UInt16(truncatingIfNeeded: column.count)
    exceptions = UInt16(truncatingIfNeeded: column.exceptions)
    kind = model?.kind ?? 0
    exponent = UInt8(truncatingIfNeeded: model?.exponent ?? 0)
  }

  private static var strayDistances: CodecError {
    CodecError("distances from start dates outside the end column")
  }

  /// Prefetches the memory that reading one of the given rows accesses.
  @inline(__always)
  func prefetch(_ rows: Range<Int>) {
    switch form {
    case .raw: SampleLog.prefetch(bytes + rows.lowerBound &* 8)
    case .planes, .sameAsStart: break
    case .modelled, .afterStart: integers.prefetch(rows)
    }
  }

  /// Returns the number of a row; `start` is the column of start dates.
  @inline(__always)
  func number(_ row: Int, start: RandomAccessDoubles) -> Double {
    switch form {
    case .sameAsStart: start[row]
    case .afterStart: double(start.integers[row] &+ integers[row])
    default: self[row]
    }
  }

  /// The number of a row, in a column that does not depend on the start column.
  subscript(row: Int) -> Double {
    switch form {
    case .raw:
      return Double(
        bitPattern: UInt64(
          littleEndian: bytes.loadUnaligned(fromByteOffset: row &* 8, as: UInt64.self)))
    case .planes:
      var bits: UInt64 = 0
      for plane in 0..<8 {
        let byte = bytes.load(fromByteOffset: plane &* Int(count) &+ row, as: UInt8.self)
        bits |= UInt64(byte) &<< UInt64(truncatingIfNeeded: plane &* 8)
      }
      return Double(bitPattern: bits)
    default:
      for index in 0..<Int(exceptions) where position(index) == row { return exception(index) }
      return double(integers[row])
    }
  }

  /// Decodes the numbers of ascending rows.
  ///
  /// `start` is the column of start dates, and `scratch` has room for two integers per row.
  func decode(
    _ rows: [Int32], start: RandomAccessDoubles, into out: UnsafeMutablePointer<Double>,
    scratch: UnsafeMutablePointer<Int64>
  ) {
    let model = DoubleModel(kind: kind, exponent: Int(exponent))
    switch form {
    case .raw, .planes:
      for (position, row) in rows.enumerated() { out[position] = self[Int(row)] }
    case .sameAsStart:
      start.decode(rows, start: start, into: out, scratch: scratch)
    case .afterStart:
      let distances = scratch + rows.count
      start.integers.decode(rows, into: scratch)
      integers.decode(rows, into: distances)
      for position in rows.indices { scratch[position] &+= distances[position] }
      model.decode(scratch, count: rows.count, into: out)
    case .modelled:
      integers.decode(rows, into: scratch)
      model.decode(scratch, count: rows.count, into: out)
      for index in 0..<Int(exceptions) {
        let row = position(index)
        let position = rows.indices.partition { rows[$0] < row }
        if position < rows.count, rows[position] == row { out[position] = exception(index) }
      }
    }
  }

  private func position(_ index: Int) -> Int {
    Int(UInt16(littleEndian: bytes.loadUnaligned(fromByteOffset: index &* 2, as: UInt16.self)))
  }

  private func exception(_ index: Int) -> Double {
    let offset = Int(exceptions) &* 2 &+ index &* 8
    return Double(
      bitPattern: UInt64(
        littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
  }

  @inline(__always)
  private func double(_ integer: Int64) -> Double {
    DoubleColumn.single(DoubleModel(kind: kind, exponent: Int(exponent)), integer)
  }
}
