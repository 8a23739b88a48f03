/// A column of doubles that are integers times one power of two, all within 256 of the least.
///
/// No addition of such doubles rounds, so integers give the same sum, in any order, and a processor
/// adds and compares sixteen of them at once.
struct SmallIntegers {
  private let integers: IntegerColumn
  private let scale: Double
  private let least: Int64

  /// Nil when a column, with its least and greatest number, is not one of packed bytes or less.
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
    // Sums of a column's numbers are exact.
    let bound = 0x1p40 * scale
    guard least >= -bound, greatest <= bound, greatest - least < 256 * scale else { return nil }
    self.integers = integers
    self.least = Int64(least / scale)
  }

  /// Returns the aggregate of a run of rows, at least one.
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
  /// Returns the aggregate of those of a run of rows whose numbers are within bounds; nil where
  /// numbers are stored as differences.
  func aggregate(_ rows: Range<Int>, within bounds: Bounds) -> Aggregate? {
    guard integers.first == nil else { return nil }
    // As bytes; the scale is a power of two, so that nothing is rounded but what must be.
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

  /// The aggregate of numbers of which bytes say how far they are from the least.
  private func aggregate(_ bytes: ByteAggregate, count: Int) -> Aggregate {
    var aggregate = Aggregate()
    aggregate.count = count
    aggregate.sum = Double(least * Int64(count) + Int64(bytes.sum)) * scale
    aggregate.minimum = Double(least + Int64(bytes.least)) * scale
    aggregate.maximum = Double(least + Int64(bytes.greatest)) * scale
    return aggregate
  }
}
