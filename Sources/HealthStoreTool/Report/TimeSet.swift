import Foundation

/// A set of points in time, as intervals in seconds since 2001-01-01 00:00 UTC.
///
/// Reports compute durations from such sets, so that overlapping samples count once.
struct TimeSet {
  /// The intervals in ascending order; they neither overlap nor touch.
  private(set) var intervals: [Range<Double>] = []

  /// Creates the union of intervals in any order, ignoring empty ones.
  init(_ parts: some Sequence<Range<Double>> = []) {
    for part in parts.filter({ !$0.isEmpty }).sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = intervals.last, part.lowerBound <= last.upperBound {
        intervals[intervals.count - 1] =
          last.lowerBound..<max(last.upperBound, part.upperBound)
      } else {
        intervals.append(part)
      }
    }
  }

  var seconds: Double {
    intervals.reduce(0) { $0 + ($1.upperBound - $1.lowerBound) }
  }

  /// Returns the intersection with an interval.
  func clamped(to limits: Range<Double>) -> TimeSet {
    // A binary search, because reports clamp to every day in turn.
    var (low, high) = (0, intervals.count)
    while low < high {
      let middle = (low + high) / 2
      if intervals[middle].upperBound <= limits.lowerBound {
        low = middle + 1
      } else {
        high = middle
      }
    }
    return TimeSet(
      intervals[low...].prefix { $0.lowerBound < limits.upperBound }.map { $0.clamped(to: limits) })
  }

  func union(_ other: TimeSet) -> TimeSet { TimeSet(intervals + other.intervals) }

  func subtracting(_ other: TimeSet) -> TimeSet {
    var left: [Range<Double>] = []
    var index = 0
    for interval in intervals {
      while index < other.intervals.count, other.intervals[index].upperBound <= interval.lowerBound
      {
        index += 1
      }
      var start = interval.lowerBound
      for gap in other.intervals[index...].prefix(while: { $0.lowerBound < interval.upperBound }) {
        if start < gap.lowerBound { left.append(start..<gap.lowerBound) }
        start = max(start, gap.upperBound)
      }
      if start < interval.upperBound { left.append(start..<interval.upperBound) }
    }
    return TimeSet(left)
  }

  /// Returns the earliest part of the set with a total length of at most `limit` seconds.
  func prefix(seconds limit: Double) -> TimeSet {
    var left = limit
    return TimeSet(
      intervals.map { interval in
        let length = min(interval.upperBound - interval.lowerBound, max(0, left))
        left -= length
        return interval.lowerBound..<interval.lowerBound + length
      })
  }

  /// Returns the intervals, joining those that are at most `gap` seconds apart.
  func joined(within gap: Double) -> [Range<Double>] {
    TimeSet(intervals.map { $0.lowerBound..<$0.upperBound + gap }).intervals.map {
      $0.lowerBound..<$0.upperBound - gap
    }
  }
}

extension DateInterval {
  /// The interval in seconds since 2001-01-01 00:00 UTC.
  var seconds: Range<Double> {
    start.timeIntervalSinceReferenceDate..<end.timeIntervalSinceReferenceDate
  }
}
