internal import SampleLog

/// What is known so far of the samples of one interval, of all sources or of one.
struct StatisticsAccumulator: Sendable {
  /// How many samples had a part in the interval.
  private(set) var count = 0

  private let style: HKQuantityAggregationStyle
  private let options: HKStatisticsOptions
  private var sum = 0.0
  private var minimum = Double.infinity
  private var maximum = -Double.infinity
  private var mostRecent: StatisticsSpan?
  private var mean: StatisticsMean
  private var covered = 0.0
  /// How many samples last now, and since when at least one does.
  private var lasting = 0
  private var coveredSince = 0.0

  init(_ style: HKQuantityAggregationStyle, _ options: HKStatisticsOptions) {
    self.style = style
    self.options = options
    mean = StatisticsMean(style)
  }

  /// Counts the part of a sample that lies in the interval: `seconds` of its time, and the given
  /// fraction of its number towards the sum.
  ///
  /// A point counts as one second of an average.
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

  /// Counts a sample that takes time and lies in the interval, and next to which no other lasts.
  mutating func countIsolated(_ span: StatisticsSpan) {
    count(span, seconds: span.until - span.start, fraction: 1)
    covered += span.until - span.start
  }

  /// Counts samples that lie in the interval whole.
  ///
  /// In an average they all count the same.
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

  /// A sample that takes time begins.
  mutating func begin(at time: Double) {
    if lasting == 0 { coveredSince = time }
    lasting += 1
  }

  /// A sample that takes time ends.
  mutating func end(at time: Double) {
    lasting -= 1
    if lasting == 0 { covered += time - coveredSince }
  }

  /// Ends the interval: returns what was asked for, and begins the next one with the samples that
  /// last on.
  mutating func close(at time: Double) -> StatisticsValues {
    if lasting > 0 { covered += time - coveredSince }
    let (values, remaining) = (values, lasting)
    self = StatisticsAccumulator(style, options)
    lasting = remaining
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
        // Rounding must not take it past the values that it lies between.
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
