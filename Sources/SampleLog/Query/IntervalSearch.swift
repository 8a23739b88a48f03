/// Finds the interval between rising dates that a date lies in.
///
/// Where the dates are equally far apart it is computed, else it is searched for.
struct IntervalSearch: Sendable {
  let boundaries: [Double]
  private let first: Double
  /// How many intervals a second has; 0 where they are not equally long.
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

  /// How many intervals there are.
  var count: Int { boundaries.count - 1 }

  /// Whether ``findIntervals(_:_:into:)`` may be called.
  var isEven: Bool { rate > 0 }

  /// Writes the intervals of the dates of some rows, which should lie between the first boundary
  /// and the last.
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
        // Adding this number rounds to an integer, which the low bits then are: the boundary that
        // is nearest, however the product was rounded.
        let bits = ((date - first) * rate + 0x1.8p52).bitPattern
        let nearest = min(max(0, Int32(truncatingIfNeeded: bits)), last)
        // The sign says whether the date is before it: a branch would go either way.
        let sign = (date - boundaries[Int(nearest)]).bitPattern &>> 63
        let interval = nearest &- Int32(truncatingIfNeeded: sign)
        // Dates beyond the boundaries are a damaged file's.
        out[position] = min(max(0, interval), last &- 1)
        position &+= 1
      }
    }
  }

  /// Returns the interval of a date, which must lie between the first boundary and the last; it is
  /// quick where that is a certain one or the next.
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
