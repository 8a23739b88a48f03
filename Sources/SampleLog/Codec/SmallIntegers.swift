/// A column of doubles that are integer multiples of one power of two, all within 256 of the
/// minimum.
///
/// Additions of such doubles are exact, so integer arithmetic yields the same sum in any order, and
/// SIMD instructions add and compare sixteen numbers at once.
struct SmallIntegers {
  private let integers: IntegerColumn
  private let scale: Double
  private let least: Int64

  /// Creates the column, given its minimum and maximum.
  ///
  /// Returns nil unless its packed numbers are one byte wide or less.
  init?(_ column: DoubleColumn, from least: Double, through greatest: Double) {
    guard case .modelled(let model, let integers) = column.form, column.exceptions == 0,
      (1...8).contains(integers.width), integers.mode == nil
    else { return nil }
    switch model.kind {
    case DoubleCodec.decimal where model.exponent == 0: scale = 1
    case DoubleCodec.binary:
      scale = Double(sign: .plus, exponent: -model.exponent, significand: 1)
    default: return nil
    }
    // Within this bound, sums of a column's numbers are exact.
    let bound = 0x1p40 * scale
    guard least >= -bound, greatest <= bound, greatest - least < 256 * scale else { return nil }
    self.integers = integers
    self.least = Int64(least / scale)
  }

  /// Returns the aggregate of a non-empty range of rows.
  func aggregate(_ rows: Range<Int>) -> Aggregate {
    var bytes = ByteAggregate()
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: rows.count + IntegerCodec.sumStep) {
      if let first = integers.first {
        let step = rows.lowerBound / IntegerCodec.sumStep
        let begin = step * IntegerCodec.sumStep
        var number = UInt8(truncatingIfNeeded: integers.sum(atStep: step, first) &- least)
        let differences = UnsafeMutableBufferPointer(rebasing: $0[..<(rows.upperBound - 1 - begin)])
        integers.unpackBytes(begin, less: 0, into: differences)
        let before = rows.lowerBound - begin
        for difference in differences[..<before] { number &+= difference }
        bytes.add(number)
        bytes.add(UnsafeBufferPointer(rebasing: differences[before...]), to: number)
      } else {
        let numbers = UnsafeMutableBufferPointer(rebasing: $0[..<rows.count])
        integers.unpackBytes(rows.lowerBound, less: least, into: numbers)
        bytes.add(UnsafeBufferPointer(numbers))
      }
    }
    return aggregate(bytes, count: rows.count)
  }
  /// Returns the aggregate of the rows of a range whose numbers are within bounds.
  ///
  /// Returns nil if the column stores differences.
  func aggregate(_ rows: Range<Int>, within bounds: Bounds) -> Aggregate? {
    guard integers.first == nil else { return nil }
    // The bounds as byte offsets. The scale is a power of two, so the division is exact.
    let lower = max(0, (bounds.lower / scale).rounded(.up) - Double(least))
    let upper = min(255, (bounds.upper / scale).rounded(.down) - Double(least))
    guard lower <= upper else { return Aggregate() }
    var bytes = ByteAggregate()
    var count = 0
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: rows.count) { numbers in
      integers.unpackBytes(rows.lowerBound, less: least, into: numbers)
      count = bytes.add(UnsafeBufferPointer(numbers), within: UInt8(lower)...UInt8(upper))
    }
    return count > 0 ? aggregate(bytes, count: count) : Aggregate()
  }

  /// Returns the aggregate of numbers given as byte offsets from the minimum.
  private func aggregate(_ bytes: ByteAggregate, count: Int) -> Aggregate {
    var aggregate = Aggregate()
    aggregate.count = count
    aggregate.sum = Double(least * Int64(count) + Int64(bytes.sum)) * scale
    aggregate.minimum = Double(least + Int64(bytes.least)) * scale
    aggregate.maximum = Double(least + Int64(bytes.greatest)) * scale
    return aggregate
  }
}
