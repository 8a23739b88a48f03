/// Sums samples whose values are times, so that a moment counts once, whichever source it is of.
///
/// Our addition: sums by HealthKit's rule add up the samples of one source, and time that was saved
/// twice would be longer than it lasted. A sample with less time than it takes, such as 20 minutes
/// of an hour, has a part of each moment. One with more time has it from its start on, or from that
/// of an interval that it crosses into, until the interval ends. So the sum of an interval is at
/// most its length.
///
/// Spans are added in the order of their starts.
struct TimeSums<Intervals: StatisticsIntervals> {
  /// The seconds of an interval, of all sources and of each.
  typealias Sums = (merged: Double, bySource: [Int: Double])

  private let secondsInUnit: Double
  /// The open interval; none is before the first span.
  private var open: IntervalCursor<Intervals>
  private var merged = TimeProfile()
  private var bySource: [Int: TimeProfile] = [:]
  /// The spans that go on behind the open interval.
  private var active: [(span: StatisticsSpan, source: Int)] = []
  private var finished: [Int: Sums] = [:]

  /// Begins without spans, whose values are of a unit of so many seconds.
  init(_ intervals: Intervals, secondsInUnit: Double) {
    open = IntervalCursor(intervals)
    self.secondsInUnit = secondsInUnit
  }

  /// Adds a span of a source.
  mutating func add(_ span: StatisticsSpan, of source: Int) {
    while span.start >= open.end, !active.isEmpty { crossBoundary() }
    if span.start >= open.end {
      close()
      open.move(to: span.start)
    }
    count(span, source)
    if span.until > open.end { active.append((span, source)) }
  }

  /// Returns the sums of intervals in the unit of the values, by the intervals' numbers.
  mutating func finish() -> [Int: Sums] {
    while !active.isEmpty { crossBoundary() }
    close()
    return finished
  }

  /// Counts what a span has in the open interval.
  private mutating func count(_ span: StatisticsSpan, _ source: Int) {
    let seconds = span.value * secondsInUnit
    guard seconds > 0 else { return }
    let start = max(span.start, open.start)
    let share = span.isPoint ? .infinity : seconds / (span.until - span.start)
    let length = span.isPoint ? seconds : share * (min(span.until, open.end) - start)
    let end = min(share > 1 ? start + length : span.until, open.end)
    merged.add(min(share, 1), from: start, until: end)
    bySource[source, default: TimeProfile()].add(min(share, 1), from: start, until: end)
  }

  private mutating func crossBoundary() {
    let time = open.end
    close()
    // A day that a calendar skips is an interval that contains no sample.
    repeat { open.moveToNext() } while open.end <= time
    for (span, source) in active { count(span, source) }
    active.removeAll { $0.span.until <= open.end }
  }

  private mutating func close() {
    guard open.end > -.infinity else { return }
    let most = open.end - open.start
    func sum(_ profile: TimeProfile) -> Double {
      var profile = profile
      // Dates are good for less than a microsecond, and rounding must not make it longer.
      return min((profile.finish() * 1e6).rounded() / 1e6, most) / secondsInUnit
    }
    finished[open.index] = (sum(merged), bySource.mapValues(sum))
    merged = TimeProfile()
    bySource.removeAll(keepingCapacity: true)
  }
}
