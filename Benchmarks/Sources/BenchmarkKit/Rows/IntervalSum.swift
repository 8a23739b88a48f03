/// The sum of the samples of an interval.
package struct IntervalSum {
  /// Milliseconds since 1970.
  package var start: Int64
  package var sum: Double

  package init(start: Int64, sum: Double) {
    self.start = start
    self.sum = sum
  }
}
