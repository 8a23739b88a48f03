/// A column of doubles that are integers of 16 bits times one power of two, all of them.
///
/// No addition of such doubles rounds, so integers give the same sum, in any order, and a processor
/// compares eight of them at once.
struct SmallIntegers {
  private let integers: IntegerColumn
  private let scale: Double

  /// Nil when a column, with its least and greatest number, has something else.
  init?(_ column: DoubleColumn, from least: Double, through greatest: Double) {
    guard case .modelled(let model, let integers) = column.form, column.exceptions == 0 else {
      return nil
    }
    switch model.kind {
    case DoubleCodec.decimal where model.exponent == 0: scale = 1
    case DoubleCodec.binary:
      scale = Double(sign: .plus, exponent: -model.exponent, significand: 1)
    default: return nil
    }
    guard least >= Double(Int16.min) * scale, greatest <= Double(Int16.max) * scale else {
      return nil
    }
    self.integers = integers
  }

  /// Returns the aggregates of runs of rows, none empty, that rise and do not overlap.
  func aggregates(_ runs: [Range<Int>]) -> [Aggregate] {
    guard let begin = runs.first?.lowerBound, let end = runs.last?.upperBound else { return [] }
    let from = begin / IntegerCodec.sumStep * IntegerCodec.sumStep
    let numbers = UnsafeMutablePointer<Int64>.allocate(capacity: end - from)
    defer { numbers.deallocate() }
    let small = UnsafeMutablePointer<Int16>.allocate(capacity: end - from)
    defer { small.deallocate() }
    let isSummed = integers.decodeSteps(from..<end, into: numbers)
    var last: Int64 = 0
    var row = from
    return runs.map { run in
      // What lies between runs counts towards the sum with which the next one goes on.
      while isSummed, row < run.lowerBound {
        last &+= numbers[row - from]
        row += 1
      }
      row = run.upperBound
      var total: Int64 = 0
      let rows = run.lowerBound - from..<run.upperBound - from
      if isSummed {
        for index in rows {
          last &+= numbers[index]
          total &+= last
          small[index] = Int16(truncatingIfNeeded: last)
        }
      } else {
        for index in rows {
          total &+= numbers[index]
          small[index] = Int16(truncatingIfNeeded: numbers[index])
        }
      }
      return aggregate(small + (run.lowerBound - from), run.count, total)
    }
  }

  private func aggregate(
    _ numbers: UnsafePointer<Int16>, _ count: Int, _ sum: Int64
  ) -> Aggregate {
    var least = SIMD8<Int16>(repeating: .max)
    var greatest = SIMD8<Int16>(repeating: .min)
    let raw = UnsafeRawPointer(numbers)
    for index in stride(from: 0, through: count - 8, by: 8) {
      let eight = raw.loadUnaligned(fromByteOffset: index &* 2, as: SIMD8<Int16>.self)
      least.replace(with: eight, where: eight .< least)
      greatest.replace(with: eight, where: eight .> greatest)
    }
    for index in count & ~7..<count {
      least[0] = min(least[0], numbers[index])
      greatest[0] = max(greatest[0], numbers[index])
    }
    var aggregate = Aggregate()
    aggregate.count = count
    aggregate.sum = Double(sum) * scale
    aggregate.minimum = Double(least.min()) * scale
    aggregate.maximum = Double(greatest.max()) * scale
    return aggregate
  }
}
