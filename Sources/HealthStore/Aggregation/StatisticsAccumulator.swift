internal import SampleLog

/// The running totals of one interval, for all sources or for one.
struct StatisticsAccumulator: Sendable {
  /// The number of samples that overlap the interval.
  private(set) var count = 0

  private let style: HKQuantityAggregationStyle
  private let options: HKStatisticsOptions
  private var sum = 0.0
  private var minimum = Double.infinity
  private var maximum = -Double.infinity
  private var mostRecent: StatisticsSpan?
  private var mean: StatisticsMean
  private var covered = 0.0
  /// The number of active samples, and the time since which at least one has been active.
  private var active = 0
  private var coveredSince = 0.0

  init(_ style: HKQuantityAggregationStyle, _ options: HKStatisticsOptions) {
    self.style = style
    self.options = options
    mean = StatisticsMean(style)
  }

  /// Adds the part of a sample that lies in the interval: its time there in seconds, and the given
  /// fraction of its value for the sum.
  ///
  /// In an average, an instantaneous sample weighs one second.
  @inline(__always)
  mutating func count(_ span: StatisticsSpan, seconds: Double, fraction: Double) {
    count += 1
    if style == .cumulative {
      sum += span.value * fraction
    } else {
      minimum = min(minimum, span.value)
      maximum = max(maximum, span.value)
      mean.add(span.value, seconds: span.isPoint ? 1 : seconds)
    }
    guard options.contains(.mostRecent) else { return }
    if mostRecent.map({ span.isMoreRecent(than: $0) }) ?? true { mostRecent = span }
  }

  /// Adds a sample that lies within the interval and overlaps no other; it must not be
  /// instantaneous.
  mutating func countIsolated(_ span: StatisticsSpan) {
    count(span, seconds: span.until - span.start, fraction: 1)
    covered += span.until - span.start
  }

  /// Adds samples that lie completely within the interval.
  ///
  /// In an average they all have the same weight.
  mutating func add(_ aggregate: Aggregate) {
    count += aggregate.count
    if style == .cumulative {
      sum += aggregate.sum
    } else {
      minimum = min(minimum, aggregate.minimum)
      maximum = max(maximum, aggregate.maximum)
      mean.add(aggregate)
    }
  }

  /// Begins a sample that is not instantaneous.
  mutating func begin(at time: Double) {
    if active == 0 { coveredSince = time }
    active += 1
  }

  /// Ends a sample that is not instantaneous.
  mutating func end(at time: Double) {
    active -= 1
    if active == 0 { covered += time - coveredSince }
  }

  /// Ends the interval and returns the requested values.
  ///
  /// The next interval begins with the samples that are still active.
  mutating func close(at time: Double) -> StatisticsValues {
    if active > 0 { covered += time - coveredSince }
    let (values, remaining) = (values, active)
    self = StatisticsAccumulator(style, options)
    active = remaining
    coveredSince = time
    return values
  }

  private var values: StatisticsValues {
    var values = StatisticsValues()
    guard count > 0 else { return values }
    if style == .cumulative {
      if options.contains(.cumulativeSum) { values.sum = sum }
    } else {
      if options.contains(.discreteMin) { values.minimum = minimum }
      if options.contains(.discreteMax) { values.maximum = maximum }
      if options.contains(.discreteAverage) {
        // Clamps the average, because rounding may move it outside the range of the values.
        values.average = mean.value.map { min(max($0, minimum), maximum) }
      }
    }
    if options.contains(.mostRecent) {
      values.mostRecent = mostRecent.map {
        StatisticsValues.MostRecent(value: $0.value, start: $0.start, end: $0.end)
      }
    }
    if options.contains(.duration) { values.duration = covered }
    return values
  }
}
