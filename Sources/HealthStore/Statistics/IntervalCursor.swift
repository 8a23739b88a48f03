internal import SampleLog

/// One of the intervals, moved along as times rise; it asks the calendar rarely.
struct IntervalCursor<Intervals: StatisticsIntervals> {
  private let intervals: Intervals
  private var boundaries: EvenBoundaries?

  /// The interval's number.
  private(set) var index = 0

  /// Where the interval begins, and where it ends: both minus infinity before the first move.
  private(set) var start = -Double.infinity
  private(set) var end = -Double.infinity

  /// No interval yet.
  init(_ intervals: Intervals) { self.intervals = intervals }

  /// Goes to the interval that holds a time.
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

  /// Goes to the interval of a number.
  mutating func move(toInterval index: Int) {
    self.index = index
    start = boundary(index)
    end = boundary(index + 1)
  }

  /// Goes to the interval that follows, which may be empty.
  mutating func moveToNext() {
    index += 1
    start = end
    end = boundary(index + 1)
  }

  /// Goes on to the interval that holds a time, unless bounds end before it, and returns the
  /// boundaries of the intervals on the way, cut off by the bounds.
  mutating func boundaries(of bounds: Bounds, through time: Double) -> [Double] {
    var boundaries = [max(start, bounds.lower), end]
    while end <= min(time, bounds.upper) {
      moveToNext()
      boundaries.append(end)
    }
    boundaries[boundaries.count - 1] = min(end, bounds.upper.nextUp)
    return boundaries
  }

  /// When an interval begins.
  mutating func boundary(_ index: Int) -> Double {
    if let start = boundaries?.start(of: index) { return start }
    boundaries = intervals.evenBoundaries(around: index)
    return boundaries?.start(of: index) ?? intervals.start(of: index)
  }
}
