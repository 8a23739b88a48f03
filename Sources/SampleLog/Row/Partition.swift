extension Range<Int> {
  /// Returns the first number that fails a predicate that holds for a prefix of the range.
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

/// Returns the first row of a sorted column that fails a predicate that holds for a prefix.
@inline(__always)
package func partition(
  _ column: UnsafePointer<Double>, _ count: Int, _ isBefore: (Double) -> Bool
) -> Int {
  (0..<count).partition { isBefore(column[$0]) }
}
