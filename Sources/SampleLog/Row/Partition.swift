extension Range<Int> {
  /// The first number that does not satisfy a condition true for a prefix of the range.
  @inline(__always)
  package func partition(_ isBefore: (Int) -> Bool) -> Int {
    var lower = lowerBound
    var upper = upperBound
    while lower < upper {
      let middle = (lower + upper) / 2
      if isBefore(middle) { lower = middle + 1 } else { upper = middle }
    }
    return lower
  }
}

/// The first row of a sorted column that does not satisfy a condition true for a prefix of it.
@inline(__always)
package func partition(
  _ column: UnsafePointer<Double>, _ count: Int, _ isBefore: (Double) -> Bool
) -> Int {
  (0..<count).partition { isBefore(column[$0]) }
}
