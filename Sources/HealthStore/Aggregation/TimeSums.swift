/// Sums samples whose values are durations, and counts overlapping time once, even across sources.
///
/// HealthKit adds up all samples of one source, so a duration that was saved twice counts twice.
/// This is our alternative. If a sample's value is less than its length, such as 20 minutes in an
/// hour, the value is spread evenly over the sample. If it is greater, the value is counted from
/// the start of the sample, or of an interval that it crosses into, at most until the interval
/// ends. The sum of an interval therefore never exceeds the length of the interval.
///
/// Spans must be added in ascending order of start.
struct TimeSums<Intervals: StatisticsIntervals> {
  /// The sums of one interval, in the unit of the values: for all sources combined, and by source.
  typealias Sums = (merged: Double, bySource: [Int: Double])

  private let secondsInUnit: Double
  /// The open interval, or an empty one before the first span.
  private var open: IntervalCursor<Intervals>
  private var merged = TimeProfile()
  private var bySource: [Int: TimeProfile] = [:]
  /// The spans that extend beyond the open interval.
  private var active: [(span: StatisticsSpan, source: Int)] = []
  private var finished: [Int: Sums] = [:]

  /// Creates sums without spans.
  ///
  /// `secondsInUnit` is the length of the values' unit.
  init(_ intervals: Intervals, secondsInUnit: Double) {
    open = IntervalCursor(intervals)
    self.secondsInUnit = secondsInUnit
  }

  mutating func add(_ span: StatisticsSpan, of source: Int) {
    while span.start >= open.end, !active.isEmpty { crossBoundary() }
    if span.start >= open.end {
      close()
      open.move(to: span.start)
    }
    count(span, source)
    if span.until > open.end { active.append((span, source)) }
  }

  /// Returns the sums of each interval that has spans, by interval number.
  mutating func finish() -> [Int: Sums] {
    while !active.isEmpty { crossBoundary() }
    close()
    return finished
  }

  /// Counts the share of a span that lies in the open interval.
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
    // A calendar may skip a day; that day's interval is empty.
    repeat { open.moveToNext() } while open.end <= time
    for (span, source) in active { count(span, source) }
    active.removeAll { $0.span.until <= open.end }
  }

  private mutating func close() {
    guard open.end > -.infinity else { return }
    let most = open.end - open.start
    func sum(_ profile: TimeProfile) -> Double {
      var profile = profile
      // Dates are precise to less than a microsecond. Rounding must not exceed the interval.
      return min((profile.finish() * 1e6).rounded() / 1e6, most) / secondsInUnit
    }
    finished[open.index] = (sum(merged), bySource.mapValues(sum))
    merged = TimeProfile()
    bySource.removeAll(keepingCapacity: true)
  }
}
