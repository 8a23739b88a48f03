/// Computes statistics of spans interval by interval.
///
/// One sweep through time: spans are added in the order of their starts, and at any moment only
/// one interval is open. Of a cumulative type the source of the highest priority is believed in
/// each stretch between two dates of samples, and all of its samples add up there; others fill the
/// gaps, and a sample that crosses a boundary or is displaced for a while counts in proportion. A
/// point takes part in its own moment only. Of a discrete type all samples count, whole for
/// minimum, maximum and most recent, in each interval that they have a part in.
///
/// Takes `n log n` time for `n` spans, and further time for each boundary that a span crosses.
struct StatisticsMerge<Intervals: StatisticsIntervals> {
  private let intervals: Intervals
  private let style: HKQuantityAggregationStyle
  private let sourceOfRank: [Int]

  private var merged: StatisticsAccumulator
  /// By source; empty unless asked for.
  private var separate: [StatisticsAccumulator] = []
  private var lasting = LastingSpans()
  private var contest: SourceContest
  /// Points of the same moment, which are counted when all that happens then is known.
  private var points: [StatisticsSpan] = []

  /// A span that began when nothing lasted; where nothing begins before it ends either, it needs no
  /// comparison with others.
  private var lone: StatisticsSpan?

  /// The open interval and where it ends; nothing is open while that is minus infinity.
  private var index = 0
  private var end = -Double.infinity
  private var boundaries: EvenBoundaries?
  private var finished: [StatisticsInterval] = []

  /// Begins without spans.
  ///
  /// - Parameters:
  ///   - intervals: what the time is cut into.
  ///   - style: how the type's values combine.
  ///   - options: what is wanted; other values are nil.
  ///   - sourceOfRank: the number of the source that each rank belongs to, from 0.
  init(
    _ intervals: Intervals, style: HKQuantityAggregationStyle, options: HKStatisticsOptions,
    sourceOfRank: [Int]
  ) {
    self.intervals = intervals
    self.style = style
    self.sourceOfRank = sourceOfRank
    merged = StatisticsAccumulator(style, options)
    contest = SourceContest(sourceOfRank: sourceOfRank)
    if options.contains(.separateBySource) {
      let sources = (sourceOfRank.max() ?? -1) + 1
      separate = Array(repeating: StatisticsAccumulator(style, options), count: sources)
    }
  }

  /// Computes the statistics of spans in any order.
  static func of(
    _ spans: [StatisticsSpan], in intervals: Intervals, style: HKQuantityAggregationStyle,
    options: HKStatisticsOptions, sourceOfRank: [Int]
  ) -> [StatisticsInterval] {
    var merge = StatisticsMerge(
      intervals, style: style, options: options, sourceOfRank: sourceOfRank)
    for span in spans.sorted(by: { $0.start < $1.start }) { merge.add(span) }
    return merge.finish()
  }

  /// Adds a span, which must not start before one that was added already.
  mutating func add(_ span: StatisticsSpan) {
    passLone(before: span.start)
    advance(to: span.start)
    if !span.isPoint {
      if lasting.isEmpty, points.isEmpty { lone = span } else { begin(span) }
    } else if style == .cumulative {
      points.append(span)
    } else {
      countPoint(span, isBelieved: true)
    }
  }

  /// Returns the intervals that have samples, in the order of time.
  mutating func finish() -> [StatisticsInterval] {
    passLone(before: .infinity)
    countPoints()
    while let next = lasting.first { passEndOrBoundary(before: next) }
    close()
    return finished
  }

  /// Counts the lone span if it ends by a time, and lets it last on with others if it does not.
  private mutating func passLone(before time: Double) {
    guard let span = lone else { return }
    lone = nil
    if span.until > min(time, end) { return begin(span) }
    merged.countLone(span)
    if !separate.isEmpty { separate[sourceOfRank[span.rank]].countLone(span) }
  }

  private mutating func advance(to time: Double) {
    if let point = points.first, point.start < time { countPoints() }
    while let next = lasting.first, min(next.until, end) <= time {
      passEndOrBoundary(before: next)
    }
    if time >= end { open(at: time) }
  }

  /// Goes on to the next end of a span or of the interval, and to the span's where they are one.
  private mutating func passEndOrBoundary(before next: LastingSpan) {
    if next.until <= end { finish(next) } else { crossBoundary() }
  }

  private mutating func begin(_ span: StatisticsSpan) {
    let (time, source) = (span.start, sourceOfRank[span.rank])
    if style == .cumulative { contest.begin(span.rank, at: time) }
    merged.begin(at: time)
    if !separate.isEmpty { separate[source].begin(at: time) }
    lasting.insert(LastingSpan(span, lost: contest.timeLost(by: source, until: time)))
  }

  /// The first span to end does so.
  private mutating func finish(_ next: LastingSpan) {
    let time = next.until
    count(next, until: time)
    lasting.removeFirst()
    if style == .cumulative { contest.end(next.span.rank, at: time) }
    merged.end(at: time)
    if !separate.isEmpty { separate[sourceOfRank[next.span.rank]].end(at: time) }
  }

  /// Ends the interval and begins the next one with the spans that last on.
  private mutating func crossBoundary() {
    let time = end
    for span in lasting.spans { count(span, until: time) }
    close()
    // Where a calendar skips a day, the day is an interval in which nothing fits.
    repeat {
      index += 1
      end = start(of: index + 1)
    } while end <= time
    for place in lasting.spans.indices {
      let source = sourceOfRank[lasting.spans[place].span.rank]
      lasting.note(from: time, lost: contest.timeLost(by: source, until: time), at: place)
    }
  }

  /// Opens the interval that holds a time, when nothing lasts.
  private mutating func open(at time: Double) {
    let isAnyOpen = end != -.infinity
    close()
    let following = isAnyOpen ? start(of: index + 2) : -.infinity
    if time < following {
      index += 1
      end = following
    } else {
      index = intervals.index(at: time)
      end = start(of: index + 1)
    }
  }

  private mutating func start(of index: Int) -> Double {
    if let start = boundaries?.start(of: index) { return start }
    boundaries = intervals.evenBoundaries(around: index)
    return boundaries?.start(of: index) ?? intervals.start(of: index)
  }

  private mutating func close() {
    var bySource: [Int: StatisticsValues] = [:]
    for source in separate.indices {
      let hasSamples = separate[source].count > 0
      let values = separate[source].close(at: end)
      if hasSamples { bySource[source] = values }
    }
    let count = merged.count
    let values = merged.close(at: end)
    if count == 0 { return }
    finished.append(
      StatisticsInterval(index: index, count: count, merged: values, bySource: bySource))
  }
}

extension StatisticsMerge {
  /// Counts what a span has in the open interval up to a time.
  private mutating func count(_ lasting: LastingSpan, until time: Double) {
    let (span, seconds) = (lasting.span, time - lasting.from)
    let source = sourceOfRank[span.rank]
    let lost = contest.timeLost(by: source, until: time) - lasting.lost
    let length = span.until - span.start
    merged.count(span, seconds: seconds, fraction: max(0, seconds - lost) / length)
    if !separate.isEmpty {
      separate[source].count(span, seconds: seconds, fraction: seconds / length)
    }
  }

  /// Counts the points of a moment: those of the source that is believed then.
  private mutating func countPoints() {
    let leader = contest.leader(amongPointsOf: points.lazy.map(\.rank))
    for point in points { countPoint(point, isBelieved: sourceOfRank[point.rank] == leader) }
    points.removeAll(keepingCapacity: true)
  }

  private mutating func countPoint(_ point: StatisticsSpan, isBelieved: Bool) {
    merged.count(point, seconds: 0, fraction: isBelieved ? 1 : 0)
    if separate.isEmpty { return }
    separate[sourceOfRank[point.rank]].count(point, seconds: 0, fraction: 1)
  }
}
