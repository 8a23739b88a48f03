/// Random access into an encoded integer column; takes one cache line.
///
/// It points into memory of the column that its owner must keep alive. If the column was decoded
/// with `forOneRow`, damage may yield a wrong number but never causes an out-of-bounds read.
struct RandomAccessIntegers: @unchecked Sendable {
  private static let rankStep = 512

  private enum Form: UInt8 {
    case constant, plain, sparse, sums, sparseSums
  }

  /// In a sparse column, the number of marked rows before each 512th row; unused entries hold the
  /// total.
  private let ranks: SIMD8<UInt16>
  private let body: UnsafeRawPointer
  /// The number of every row in a constant column, or the base that is added to packed numbers.
  private let base: Int64
  private let first: Int64
  private let mode: Int64
  private let bitmapOffset: UInt16
  private let fieldsOffset: UInt16
  private let stored: UInt16
  private let exceptions: UInt16
  private let width: UInt8
  private let sumWidth: UInt8
  private let exceptionWidth: UInt8
  private let form: Form

  /// Creates random access into a column of at most ``Block/maximumRows`` rows.
  init(_ column: IntegerColumn) {
    body = column.body
    base = column.constant ?? column.base
    first = column.first ?? 0
    mode = column.mode ?? 0
    bitmapOffset = UInt16(truncatingIfNeeded: column.bitmap - column.body)
    fieldsOffset = UInt16(truncatingIfNeeded: column.fields - column.body)
    stored = UInt16(truncatingIfNeeded: column.stored)
    exceptions = UInt16(truncatingIfNeeded: column.exceptions)
    width = UInt8(truncatingIfNeeded: column.width)
    sumWidth = UInt8(truncatingIfNeeded: column.sumWidth)
    exceptionWidth = UInt8(truncatingIfNeeded: column.exceptionWidth)
    ranks = Self.ranks(column)
    if column.constant != nil {
      form = .constant
    } else if column.first != nil {
      form = column.mode != nil ? .sparseSums : .sums
    } else {
      form = column.mode != nil ? .sparse : .plain
    }
  }

  /// A column of zeros.
  static let zero = RandomAccessIntegers()

  private init() {
    body = UnsafeRawPointer(bitPattern: 8).unsafelyUnwrapped
    (base, first, mode, form) = (0, 0, 0, .constant)
    (bitmapOffset, fieldsOffset, stored, exceptions) = (0, 0, 0, 0)
    (width, sumWidth, exceptionWidth) = (0, 0, 0)
    ranks = .zero
  }

  private static func ranks(_ column: IntegerColumn) -> SIMD8<UInt16> {
    if column.mode == nil { return .zero }
    var ranks = SIMD8(repeating: UInt16(truncatingIfNeeded: column.stored))
    ranks[0] = 0
    var total = 0
    for (index, row) in stride(from: rankStep, to: column.count, by: rankStep).enumerated() {
      if index == 7 { break }
      total += column.marks(row - rankStep..<row)
      ranks[index + 1] = UInt16(truncatingIfNeeded: total)
    }
    return ranks
  }

  private var bitmap: UnsafeRawPointer { body + Int(bitmapOffset) }
  private var fields: UnsafeRawPointer { body + Int(fieldsOffset) }
  private var positions: UnsafeRawPointer {
    fields + BitPacking.byteCount(Int(stored), width: Int(width))
  }

  /// Prefetches the memory that reading one of the given rows accesses.
  @inline(__always)
  func prefetch(_ rows: Range<Int>) { forEachLine(of: rows) { SampleLog.prefetch($0) } }

  /// Calls a closure with an address in each cache line that reading one of the given rows may
  /// access, except most lines of a long list of exceptions.
  @inline(__always)
  func forEachLine(of rows: Range<Int>, _ body: (UnsafeRawPointer) -> Void) {
    switch form {
    case .constant: break
    case .plain: forEachLine(ofFields: rows, body)
    case .sums:
      let step = rows.lowerBound / IntegerCodec.sumStep
      body(self.body + (step &* Int(sumWidth)) &>> 3)
      forEachLine(ofFields: step &* IntegerCodec.sumStep..<rows.upperBound, body)
    case .sparse, .sparseSums:
      let rank = Self.rank(rows.lowerBound)
      body(bitmap + rank &* Self.rankStep / 8)
      body(bitmap + rows.upperBound &>> 3)
      let next = Self.rank(rows.upperBound) &+ 1
      let first = Int(ranks[rank])
      // The exact fields are unknown until the marks have been counted; the candidates are few.
      forEachLine(ofFields: first..<max(first, Int(next < 8 ? ranks[next] : stored)), body)
    }
    if exceptions > 0 {
      body(positions)
      body(positions + Int(exceptions))
      body(positions + Int(exceptions) &* 2)
    }
  }

  @inline(__always)
  private func forEachLine(ofFields range: Range<Int>, _ body: (UnsafeRawPointer) -> Void) {
    let width = Int(width)
    let end = fields + (range.upperBound &* width) &>> 3
    var line = fields + (range.lowerBound &* width) &>> 3
    line -= Int(bitPattern: line) & 63
    repeat {
      body(line)
      line += 64
    } while line < end
  }

  /// The number of a row.
  subscript(row: Int) -> Int64 {
    switch form {
    case .constant: return base
    case .plain: return number(row)
    case .sparse:
      let byte = bitmap.load(fromByteOffset: row &>> 3, as: UInt8.self)
      let isMarked = byte &>> UInt8(truncatingIfNeeded: row & 7) & 1 == 1
      return isMarked ? number(marks(before: row)) : mode
    case .sums, .sparseSums: return sum(row)
    }
  }

  /// Decodes the numbers of ascending rows.
  ///
  /// Within a step, each sum continues from the previous row, so that no difference is added twice.
  func decode(_ rows: [Int32], into out: UnsafeMutablePointer<Int64>) {
    guard form == .sums else {
      for (position, row) in rows.enumerated() { out[position] = self[Int(row)] }
      return
    }
    var known = Int.max
    var sum: Int64 = 0
    var exception = 0
    for (position, row) in rows.enumerated() {
      let row = Int(row)
      let begin = row / IntegerCodec.sumStep &* IntegerCodec.sumStep
      if known > row || known < begin {
        known = begin
        sum = self.sum(atStep: row / IntegerCodec.sumStep)
        exception = exceptions > 0 ? firstException(from: begin) : 0
      }
      sum &+= base &* Int64(row &- known)
      sum &+= BitPacking.sum(fields, known..<row, width: Int(width))
      while exception < exceptions, self.position(exception) < row {
        sum &+= distance(exception)
        exception &+= 1
      }
      known = row
      out[position] = sum
    }
  }

  /// Returns the number at the first row of a step.
  @inline(__always)
  private func sum(atStep step: Int) -> Int64 {
    if step == 0 { return first }
    return first
      &+ IntegerCodec.unzigzag(BitPacking.load(body, step &- 1, width: Int(sumWidth)))
  }

  /// Returns the number of a row by adding differences to the preceding checkpoint.
  private func sum(_ row: Int) -> Int64 {
    let step = row / IntegerCodec.sumStep
    let from = step &* IntegerCodec.sumStep
    var sum = sum(atStep: step)
    var kept = from..<row
    if form == .sparseSums {
      let marked = IntegerColumn.marks(bitmap, from..<row)
      let before = marks(before: from)
      sum &+= mode &* Int64(row &- from &- marked)
      kept = (before..<before &+ marked).clamped(to: 0..<Int(stored))
    }
    sum &+= base &* Int64(kept.count)
    sum &+= BitPacking.sum(fields, kept, width: Int(width))
    if exceptions == 0 { return sum }
    // The packed field of an exception is zero.
    var index = firstException(from: kept.lowerBound)
    while index < exceptions, position(index) < kept.upperBound {
      sum &+= distance(index)
      index &+= 1
    }
    return sum
  }

  private func number(_ index: Int) -> Int64 {
    guard index < stored else { return base }
    if exceptions > 0 {
      let exception = firstException(from: index)
      if exception < exceptions, position(exception) == index { return base &+ distance(exception) }
    }
    return base &+ Int64(bitPattern: BitPacking.load(fields, index, width: Int(width)))
  }

  @inline(__always)
  private func position(_ index: Int) -> Int {
    Int(UInt16(littleEndian: positions.loadUnaligned(fromByteOffset: index &* 2, as: UInt16.self)))
  }

  private func distance(_ index: Int) -> Int64 {
    IntegerCodec.unzigzag(
      BitPacking.load(positions + Int(exceptions) &* 2, index, width: Int(exceptionWidth)))
  }

  /// Returns the index of the first exception at or after a position; positions ascend.
  private func firstException(from position: Int) -> Int {
    (0..<Int(exceptions)).partition { self.position($0) < position }
  }

  private static func rank(_ row: Int) -> Int { min(row / rankStep, 7) }

  /// Returns the number of marked rows before a row.
  private func marks(before row: Int) -> Int {
    let rank = Self.rank(row)
    return Int(ranks[rank]) &+ IntegerColumn.marks(bitmap, rank &* Self.rankStep..<row)
  }
}

extension BitPacking {
  /// Returns the sum of packed numbers.
  ///
  /// The 8 bytes after the packed ones must be readable.
  @inline(__always)
  static func sum(_ bytes: UnsafeRawPointer, _ range: Range<Int>, width: Int) -> Int64 {
    if width == 0 { return 0 }
    var sum: UInt64 = 0
    var index = range.lowerBound
    if width <= 14 {
      let mask = mask(width)
      let shift = UInt64(truncatingIfNeeded: width)
      var bit = index &* width
      while index &+ 4 <= range.upperBound {
        var word = bytes.loadUnaligned(fromByteOffset: bit &>> 3, as: UInt64.self)
        word &>>= UInt64(truncatingIfNeeded: bit & 7)
        sum &+= (word & mask) &+ (word &>> shift & mask)
        word &>>= shift &* 2
        sum &+= (word & mask) &+ (word &>> shift & mask)
        bit &+= width &* 4
        index &+= 4
      }
    }
    while index < range.upperBound {
      sum &+= load(bytes, index, width: width)
      index &+= 1
    }
    return Int64(bitPattern: sum)
  }
}
