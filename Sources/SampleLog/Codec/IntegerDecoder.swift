/// A column of integers whose parameters have been read and checked against its length.
package struct IntegerColumn {
  package let count: Int
  /// The number all rows have, when they do.
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

  /// Reads a column that takes all bytes left; ``RawMemory/slack`` bytes behind must be readable.
  ///
  /// With `forOneRow` what concerns all rows is not looked at: a damaged column may give a wrong
  /// number then, but reads nothing it must not.
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
    for index in 0..<self.exceptions where place(index) >= self.stored {
      throw CodecError("exception beyond the last integer")
    }
  }

  var bitmap: UnsafeRawPointer { body + sumBytes }
  var fields: UnsafeRawPointer { body + sumBytes + bitmapBytes }
  private var places: UnsafeRawPointer { fields + BitPacking.byteCount(stored, width: width) }

  private func place(_ index: Int) -> Int {
    Int(UInt16(littleEndian: places.loadUnaligned(fromByteOffset: index * 2, as: UInt16.self)))
  }

  /// Returns how far an exception is from the base.
  private func distance(_ index: Int) -> Int64 {
    IntegerCodec.unzigzag(
      BitPacking.load(places + exceptions * 2, index, width: exceptionWidth))
  }

  private func patch(_ out: UnsafeMutablePointer<Int64>) {
    for index in 0..<exceptions { out[place(index)] = base &+ distance(index) }
  }

  /// Writes all `count` numbers.
  package func decode(into out: UnsafeMutablePointer<Int64>) {
    if let constant {
      out.update(repeating: constant, count: count)
      return
    }
    defer { withExtendedLifetime(owner) {} }
    guard let first else {
      if let mode {
        spread(mode: mode, count: count, into: out)
      } else {
        BitPacking.unpack(fields, count: count, width: width, base: base, into: out)
        patch(out)
      }
      return
    }
    if mode == nil, exceptions == 0 {
      BitPacking.unpackSums(
        fields, count: count - 1, width: width, base: base, first: first, into: out)
      return
    }
    if let mode {
      spread(mode: mode, count: count - 1, into: out + 1)
    } else {
      BitPacking.unpack(fields, count: count - 1, width: width, base: base, into: out + 1)
      patch(out + 1)
    }
    var sum = first
    out[0] = first
    for index in 1..<count {
      sum &+= out[index]
      out[index] = sum
    }
  }

  // Puts the numbers that were kept where their bits are. They are unpacked into the back of the
  // same memory, where the front never overtakes them.
  private func spread(mode: Int64, count: Int, into out: UnsafeMutablePointer<Int64>) {
    withUnsafeTemporaryAllocation(of: Int64.self, capacity: stored + 1) { buffer in
      guard let kept = buffer.baseAddress else { return }
      BitPacking.unpack(fields, count: stored, width: width, base: base, into: kept)
      patch(kept)
      // What follows the last is looked at and not used.
      kept[stored] = mode
      if stored * 4 < count {
        out.update(repeating: mode, count: count)
        scatter(kept, count: count, into: out)
      } else {
        merge(kept, mode: mode, count: count, into: out)
      }
    }
  }

  /// Puts the few numbers that are kept where their marks are.
  private func scatter(
    _ kept: UnsafePointer<Int64>, count: Int, into out: UnsafeMutablePointer<Int64>
  ) {
    let bitmap = bitmap
    var next = 0
    for row in stride(from: 0, to: count, by: 64) {
      var word = UInt64(
        littleEndian: bitmap.loadUnaligned(fromByteOffset: row &>> 3, as: UInt64.self))
      // Behind the last mark something else begins.
      if count - row < 64 { word &= (1 << UInt64(count - row)) - 1 }
      while word != 0, next < stored {
        out[row &+ word.trailingZeroBitCount] = kept[next]
        next &+= 1
        word &= word &- 1
      }
    }
  }

  /// Takes one or the other for each row, without branches on which.
  private func merge(
    _ kept: UnsafePointer<Int64>, mode: Int64, count: Int, into out: UnsafeMutablePointer<Int64>
  ) {
    let bitmap = bitmap
    var next = 0
    var row = 0
    while row < count {
      var word = UInt64(
        littleEndian: bitmap.loadUnaligned(fromByteOffset: row &>> 3, as: UInt64.self))
      let end = min(row &+ 64, count)
      while row < end {
        let value = kept[min(next, stored)]
        let marked = Int(truncatingIfNeeded: word & 1)
        out[row] = marked == 1 ? value : mode
        next &+= marked
        word &>>= 1
        row &+= 1
      }
    }
  }

  /// Returns one number without looking at more than a few hundred others.
  package func decode(row: Int) -> Int64 {
    if let constant { return constant }
    defer { withExtendedLifetime(owner) {} }
    guard let first else {
      guard let mode else { return number(row) }
      let byte = bitmap.load(fromByteOffset: row >> 3, as: UInt8.self)
      return byte >> UInt8(row & 7) & 1 == 1 ? number(marks(0..<row)) : mode
    }
    // Go on from the nearest sum that was written down.
    let step = row / IntegerCodec.sumStep
    let from = step * IntegerCodec.sumStep
    var sum = first
    if step > 0 {
      sum &+= IntegerCodec.unzigzag(BitPacking.load(body, step - 1, width: sumWidth))
    }
    var kept = from..<row
    if let mode {
      let marked = marks(from..<row)
      let before = marks(0..<from)
      sum &+= mode &* Int64(row - from - marked)
      kept = (before..<before + marked).clamped(to: 0..<stored)
    }
    sum &+= base &* Int64(kept.count)
    let fields = fields
    if width > 0 {
      for index in kept {
        sum &+= Int64(bitPattern: BitPacking.load(fields, index, width: width))
      }
    }
    // The field of an exception is zero.
    var index = firstException(from: kept.lowerBound)
    while index < exceptions, place(index) < kept.upperBound {
      sum &+= distance(index)
      index += 1
    }
    return sum
  }

  private func number(_ index: Int) -> Int64 {
    guard index < stored else { return base }
    let exception = firstException(from: index)
    if exception < exceptions, place(exception) == index { return base &+ distance(exception) }
    return base &+ Int64(bitPattern: BitPacking.load(fields, index, width: width))
  }

  /// The first exception at or behind a place; they are in order.
  private func firstException(from place: Int) -> Int {
    (0..<exceptions).partition { self.place($0) < place }
  }

  /// Returns how many rows of a range have a number of their own.
  private func marks(_ rows: Range<Int>) -> Int {
    var total = 0
    var row = rows.lowerBound
    while row < rows.upperBound {
      let word = UInt64(
        littleEndian: bitmap.loadUnaligned(fromByteOffset: row >> 3, as: UInt64.self))
      let skipped = row & 7
      let taken = min(64 - skipped, rows.upperBound - row)
      let wanted = word >> UInt64(skipped) & (taken == 64 ? .max : (1 << UInt64(taken)) - 1)
      total &+= wanted.nonzeroBitCount
      row += taken
    }
    return total
  }
}
