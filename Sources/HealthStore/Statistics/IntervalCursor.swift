internal import SampleLog

/// A cursor over intervals for ascending times.
///
/// It caches boundaries to avoid calendar computations.
struct IntervalCursor<Intervals: StatisticsIntervals> {
  private let intervals: Intervals
  private var boundaries: EvenBoundaries?

  /// The number of the current interval.
  private(set) var index = 0

  /// The start and end of the current interval.
  ///
  /// Both are minus infinity before the first move.
  private(set) var start = -Double.infinity
  private(set) var end = -Double.infinity

  /// Creates a cursor that is not at an interval yet.
  init(_ intervals: Intervals) { self.intervals = intervals }

  /// Moves to the interval that contains a time.
  mutating func move(to time: Double) {
    if time >= start, time < end { return }
    if time >= end, end > -.infinity {
      moveToNext()
      if time < end { return }
    }
    index = intervals.index(at: time)
    start = boundary(index)
    end = boundary(index + 1)
  }

  /// Moves to the interval with the given number.
  mutating func move(toInterval index: Int) {
    self.index = index
    start = boundary(index)
    end = boundary(index + 1)
  }

  /// Moves to the next interval, which may be empty.
  mutating func moveToNext() {
    index += 1
    start = end
    end = boundary(index + 1)
  }

  /// Moves forward to the interval that contains a time, or to the end of the bounds if that is
  /// earlier.
  ///
  /// Returns the boundaries passed on the way, clamped to the bounds.
  mutating func boundaries(of bounds: Bounds, through time: Double) -> [Double] {
    var boundaries = [max(start, bounds.lower), end]
    while end <= min(time, bounds.upper) {
      moveToNext()
      boundaries.append(end)
    }
    boundaries[boundaries.count - 1] = min(end, bounds.upper.nextUp)
    return boundaries
  }

  /// Returns the start of an interval.
  mutating func boundary(_ index: Int) -> Double {
    if let start = boundaries?.start(of: index) { return start }
    boundaries = intervals.evenBoundaries(around: index)
    return boundaries?.start(of: index) ?? intervals.start(of: index)
  }
}
