/// A search for the interval that contains a date.
///
/// Computes the interval if all have the same length; otherwise uses binary search.
struct IntervalSearch: Sendable {
  let boundaries: [Double]
  private let first: Double
  /// The number of intervals per second, or 0 if they differ in length.
  private let rate: Double

  init(_ boundaries: [Double]) {
    self.boundaries = boundaries
    first = boundaries[0]
    let length = boundaries[1] - first
    let isEven = boundaries.indices.dropFirst().allSatisfy {
      boundaries[$0] - boundaries[$0 - 1] == length
    }
    rate = isEven && length > 0 && length < .infinity ? 1 / length : 0
  }

  /// The number of intervals.
  var count: Int { boundaries.count - 1 }

  /// Whether all intervals have the same length, as ``findIntervals(_:_:into:)`` requires.
  var isEven: Bool { rate > 0 }

  /// Writes the intervals of the dates of some rows.
  ///
  /// The dates should lie between the first and the last boundary.
  @inline(__always)
  func findIntervals(
    _ dates: UnsafePointer<Double>, _ rows: some Collection<Int>,
    into out: UnsafeMutableBufferPointer<Int32>
  ) {
    precondition(rows.count <= out.count, "no room")
    boundaries.withUnsafeBufferPointer { boundaries in
      let last = Int32(boundaries.count - 1)
      let out = out.baseAddress.unsafelyUnwrapped
      let boundaries = boundaries.baseAddress.unsafelyUnwrapped
      var position = 0
      for row in rows {
        let date = dates[row]
        // Adding this constant rounds to an integer in the low bits: the nearest boundary,
        // whichever way the product was rounded.
        let bits = ((date - first) * rate + 0x1.8p52).bitPattern
        let nearest = min(max(0, Int32(truncatingIfNeeded: bits)), last)
        // Uses the sign of the difference, because a branch would be unpredictable.
        let sign = (date - boundaries[Int(nearest)]).bitPattern &>> 63
        let interval = nearest &- Int32(truncatingIfNeeded: sign)
        // In a damaged file, dates may lie outside the boundaries.
        out[position] = min(max(0, interval), last &- 1)
        position &+= 1
      }
    }
  }

  /// Returns the interval of a date between the first and the last boundary.
  ///
  /// Fast if the date is in the interval `guess` or the next.
  @inline(__always)
  func interval(of date: Double, near guess: Int) -> Int {
    if guess < count, date >= boundaries[guess] {
      if date < boundaries[guess + 1] { return guess }
      if guess + 1 < count, date < boundaries[guess + 2] { return guess + 1 }
    }
    return interval(of: date)
  }

  /// Returns the interval of a date.
  func interval(of date: Double) -> Int {
    (1..<boundaries.count - 1).partition { boundaries[$0] <= date } - 1
  }
}
