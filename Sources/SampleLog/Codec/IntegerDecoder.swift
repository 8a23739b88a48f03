/// A column of integers whose parameters have been decoded and validated against its length.
package struct IntegerColumn {
  package let count: Int
  /// The number of every row, if all are equal.
  package let constant: Int64?
  let first: Int64?
  let mode: Int64?
  let base: Int64
  let width: Int
  let stored: Int
  let exceptions: Int
  let exceptionWidth: Int
  let body: UnsafeRawPointer
  private let sumBytes: Int
  let sumWidth: Int
  private let bitmapBytes: Int
  let owner: RawMemory?

  /// Decodes the parameters of a column that extends to the end of the reader.
  ///
  /// ``RawMemory/slack`` bytes after it must be readable.
  ///
  /// If `forOneRow` is true, checks that take time linear in the rows are skipped. A damaged column
  /// may then yield a wrong number, but never causes an out-of-bounds read.
  package init(
    _ reader: inout ByteReader, count expected: Int, forOneRow: Bool = false
  ) throws(CodecError) {
    guard let code = reader.byte(), let count = reader.varint(), count == UInt64(expected),
      expected > 0
    else { throw CodecError("wrong count of integers") }
    self.count = expected
    let allowed =
      IntegerCodec.kindMask | IntegerCodec.differences | IntegerCodec.sparse
      | IntegerCodec.compressed
    guard code & ~allowed == 0 else { throw CodecError("unknown integer encoding") }
    if code == IntegerCodec.constant {
      guard let value = reader.varint(), reader.isAtEnd else {
        throw CodecError("wrong length of integers")
      }
      constant = IntegerCodec.unzigzag(value)
      (first, mode, base, width, stored) = (nil, nil, 0, 0, 0)
      (exceptions, exceptionWidth, bitmapBytes, owner) = (0, 0, 0, nil)
      (sumBytes, sumWidth) = (0, 0)
      body = UnsafeRawPointer(bitPattern: 8).unsafelyUnwrapped
      return
    }
    guard code & IntegerCodec.kindMask == IntegerCodec.packed else {
      throw CodecError("unknown integer encoding")
    }
    constant = nil
    func number() throws(CodecError) -> UInt64 {
      guard let value = reader.varint() else { throw CodecError("cut integer parameters") }
      return value
    }
    let isSummed = code & IntegerCodec.differences != 0
    first = isSummed ? IntegerCodec.unzigzag(try number()) : nil
    let packedCount = isSummed ? expected - 1 : expected
    let sums = isSummed ? (expected - 1) / IntegerCodec.sumStep : 0
    if sums > 0 {
      guard let width = reader.byte(), BitPacking.isValid(width: Int(width)) else {
        throw CodecError("impossible width of integers")
      }
      sumWidth = Int(width)
    } else {
      sumWidth = 0
    }
    sumBytes = BitPacking.byteCount(sums, width: sumWidth)
    let isSparse = code & IntegerCodec.sparse != 0
    mode = isSparse ? IntegerCodec.unzigzag(try number()) : nil
    base = IntegerCodec.unzigzag(try number())
    guard let width = reader.byte(), BitPacking.isValid(width: Int(width)) else {
      throw CodecError("impossible width of integers")
    }
    self.width = Int(width)
    let stored = isSparse ? try number() : UInt64(packedCount)
    let exceptions = try number()
    guard stored <= UInt64(packedCount), exceptions <= stored else {
      throw CodecError("impossible count of integers")
    }
    self.stored = Int(stored)
    self.exceptions = Int(exceptions)
    if exceptions > 0 {
      guard let width = reader.byte(), BitPacking.isValid(width: Int(width)) else {
        throw CodecError("impossible width of integers")
      }
      exceptionWidth = Int(width)
    } else {
      exceptionWidth = 0
    }
    bitmapBytes = isSparse ? (packedCount + 7) >> 3 : 0
    let length =
      sumBytes + bitmapBytes + BitPacking.byteCount(self.stored, width: self.width) + self
      .exceptions * 2
      + BitPacking.byteCount(self.exceptions, width: exceptionWidth)
    if code & IntegerCodec.compressed != 0 {
      guard try number() == UInt64(length), let bytes = reader.slice(reader.remaining) else {
        throw CodecError("wrong length of integers")
      }
      let memory = try Compression.decompress(bytes, count: length)
      owner = memory
      body = UnsafeRawPointer(memory.base)
    } else {
      guard reader.remaining == length, let bytes = reader.slice(length) else {
        throw CodecError("wrong length of integers")
      }
      owner = nil
      body = bytes.baseAddress ?? UnsafeRawPointer(bitPattern: 8).unsafelyUnwrapped
    }
    defer { withExtendedLifetime(owner) {} }
    if forOneRow { return }
    if isSparse {
      let marked = marks(0..<packedCount)
      let last = bitmap.load(fromByteOffset: bitmapBytes - 1, as: UInt8.self)
      guard marked == self.stored, packedCount & 7 == 0 || last >> UInt8(packedCount & 7) == 0
      else { throw CodecError("marks of frequent integers do not add up") }
    }
    for index in 0..<self.exceptions where position(index) >= self.stored {
      throw CodecError("exception beyond the last integer")
    }
  }

  var bitmap: UnsafeRawPointer { body + sumBytes }
  var fields: UnsafeRawPointer { body + sumBytes + bitmapBytes }
  var positions: UnsafeRawPointer { fields + BitPacking.byteCount(stored, width: width) }

  func position(_ index: Int) -> Int {
    Int(UInt16(littleEndian: positions.loadUnaligned(fromByteOffset: index * 2, as: UInt16.self)))
  }

  /// Returns the distance of an exception from the base.
  func distance(_ index: Int) -> Int64 {
    IntegerCodec.unzigzag(
      BitPacking.load(positions + exceptions * 2, index, width: exceptionWidth))
  }
}
