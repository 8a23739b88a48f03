internal import SampleLog

/// Computes statistics of spans, interval by interval.
///
/// One sweep through time: spans are added in ascending order of start, and one interval is open at
/// a time. For a cumulative type, the source with the highest priority counts between two
/// consecutive sample dates, and all of its samples add up; other sources fill its gaps. A sample
/// that crosses a boundary or is covered for a time by another source counts in proportion. An
/// instantaneous sample counts only at its own time. For a discrete type all samples count, and
/// minimum, maximum and most recent use the complete value in each interval that the sample
/// overlaps.
///
/// - Complexity: O(n log n) for `n` spans, plus the boundaries that spans cross.
struct StatisticsMerge<Intervals: StatisticsIntervals> {
  private let style: HKQuantityAggregationStyle
  private let isSeparate: Bool
  private var sourceOfRank: [Int]

  private var merged: StatisticsAccumulator
  /// The initial state of an interval.
  private let empty: StatisticsAccumulator
  /// The accumulators by source; empty unless requested.
  private var separate: [StatisticsAccumulator] = []
  private var active = ActiveSpans()
  private var priority: PriorityResolution
  /// Instantaneous samples at the current time, counted when all samples that start or end then are
  /// known.
  private var points: [StatisticsSpan] = []

  /// A span that began while no other was active.
  ///
  /// If it also ends before the next one begins, it bypasses the heap and priority resolution.
  private var isolated: StatisticsSpan?

  /// The open interval, or an empty one before the first span.
  private var open: IntervalCursor<Intervals>
  private var finished: [StatisticsInterval] = []

  /// The aggregates of samples that are not added as spans, by interval number.
  ///
  /// They must not overlap an added sample where the overlap would change the result;
  /// ``AggregateRule`` decides this.
  var aggregates: [Int: Aggregate] = [:]

  /// Creates a merge without spans.
  ///
  /// - Parameters:
  ///   - intervals: The intervals to compute.
  ///   - style: The aggregation style of the type.
  ///   - options: The requested values; others are nil.
  ///   - sourceOfRank: The source number of each rank, from 0.
  init(
    _ intervals: Intervals, style: HKQuantityAggregationStyle, options: HKStatisticsOptions,
    sourceOfRank: [Int]
  ) {
    open = IntervalCursor(intervals)
    self.style = style
    self.sourceOfRank = sourceOfRank
    empty = StatisticsAccumulator(style, options)
    merged = empty
    priority = PriorityResolution(sourceOfRank: sourceOfRank)
    isSeparate = options.contains(.separateBySource)
    addSources()
  }

  private mutating func addSources() {
    guard isSeparate else { return }
    let missing = (sourceOfRank.max() ?? -1) + 1 - separate.count
    separate.append(contentsOf: repeatElement(empty, count: max(0, missing)))
  }

  /// Inserts a rank for a new or known source.
  ///
  /// Ranks at or after it increase by one.
  mutating func insertRank(_ rank: Int, of source: Int) {
    sourceOfRank.insert(source, at: rank)
    priority.insertRank(rank, of: source)
    active.insertRank(rank)
    for index in points.indices { points[index].insertRank(rank) }
    isolated?.insertRank(rank)
    addSources()
  }

  /// Returns the statistics of spans in any order.
  static func of(
    _ spans: [StatisticsSpan], in intervals: Intervals, style: HKQuantityAggregationStyle,
    options: HKStatisticsOptions, sourceOfRank: [Int]
  ) -> [StatisticsInterval] {
    var merge = StatisticsMerge(
      intervals, style: style, options: options, sourceOfRank: sourceOfRank)
    for span in spans.sorted(by: { $0.start < $1.start }) { merge.add(span) }
    return merge.finish()
  }

  /// Adds a span.
  ///
  /// Spans must be added in ascending order of start.
  @inline(__always)
  mutating func add(_ span: StatisticsSpan) {
    // Inlined, because reading a span back from memory just written causes a store-forwarding
    // stall.
    finishIsolated(before: span.start)
    if continues(span) { return }
    advance(to: span.start)
    if !span.isPoint {
      if active.isEmpty, points.isEmpty { isolated = span } else { begin(span) }
    } else if style == .cumulative {
      points.append(span)
    } else {
      countPoint(span, isCounted: true)
    }
  }

  /// Returns the intervals that have samples, in chronological order.
  mutating func finish() -> [StatisticsInterval] {
    finishIsolated(before: .infinity)
    countPoints()
    while !active.isEmpty { crossEndOrBoundary() }
    close()
    if aggregates.isEmpty { return finished }
    // The remaining aggregates belong to intervals without added spans.
    let isSorted = finished.isEmpty
    for index in aggregates.keys.sorted() {
      if let aggregate = aggregates[index] { merged.add(aggregate) }
      close(index)
    }
    if !isSorted { finished.sort { $0.index < $1.index } }
    return finished
  }

  /// Counts the isolated span if it ends by a time; otherwise makes it active.
  private mutating func finishIsolated(before time: Double) {
    guard let span = isolated else { return }
    isolated = nil
    if span.until > min(time, open.end) { return begin(span) }
    merged.countIsolated(span)
    if isSeparate { separate[sourceOfRank[span.rank]].countIsolated(span) }
  }

  /// Replaces an active span of the same rank that ends at the new span's start, if there is one.
  ///
  /// Other samples are not affected.
  @inline(__always)
  private mutating func continues(_ span: StatisticsSpan) -> Bool {
    guard active.firstEnd == span.start, active.spans[0].span.rank == span.rank,
      span.start < open.end, !span.isPoint, points.isEmpty
    else { return false }
    countActive(at: 0, until: span.start)
    let lost = priority.timeLost(by: sourceOfRank[span.rank], until: span.start)
    active.replaceFirst(by: ActiveSpan(span, lost: lost))
    return true
  }

  private mutating func advance(to time: Double) {
    if let point = points.first, point.start < time { countPoints() }
    while !active.isEmpty, min(active.firstEnd, open.end) <= time { crossEndOrBoundary() }
    if time >= open.end {
      // No span is active.
      close()
      open.move(to: time)
    }
  }

  /// Advances to the next end of a span or of the interval.
  ///
  /// On a tie, the span ends first.
  private mutating func crossEndOrBoundary() {
    if active.firstEnd <= open.end { finishFirst() } else { crossBoundary() }
  }

  private mutating func begin(_ span: StatisticsSpan) {
    let (time, source) = (span.start, sourceOfRank[span.rank])
    if style == .cumulative { priority.begin(span.rank, at: time) }
    merged.begin(at: time)
    if isSeparate { separate[source].begin(at: time) }
    active.insert(ActiveSpan(span, lost: priority.timeLost(by: source, until: time)))
  }

  /// Ends the active span that ends first.
  private mutating func finishFirst() {
    let (time, rank) = (active.firstEnd, active.spans[0].span.rank)
    countActive(at: 0, until: time)
    active.removeFirst()
    if style == .cumulative { priority.end(rank, at: time) }
    merged.end(at: time)
    if isSeparate { separate[sourceOfRank[rank]].end(at: time) }
  }

  /// Ends the interval and begins the next one with the spans that are still active.
  private mutating func crossBoundary() {
    let time = open.end
    for position in active.spans.indices { countActive(at: position, until: time) }
    close()
    // A calendar may skip a day; that day's interval is empty.
    repeat { open.moveToNext() } while open.end <= time
    for position in active.spans.indices {
      let source = sourceOfRank[active.spans[position].span.rank]
      active.note(from: time, lost: priority.timeLost(by: source, until: time), at: position)
    }
  }

  /// Closes the open interval, if there is one.
  private mutating func close() {
    guard open.end > -.infinity else { return }
    if let aggregate = aggregates.removeValue(forKey: open.index) { merged.add(aggregate) }
    close(open.index)
  }

  private mutating func close(_ index: Int) {
    var bySource: [Int: StatisticsValues] = [:]
    for source in separate.indices {
      let hasSamples = separate[source].count > 0
      let values = separate[source].close(at: open.end)
      if hasSamples { bySource[source] = values }
    }
    let count = merged.count
    let values = merged.close(at: open.end)
    if count == 0 { return }
    finished.append(
      StatisticsInterval(index: index, count: count, merged: values, bySource: bySource))
  }
}

extension StatisticsMerge {
  /// Counts an active span's share of the open interval, up to a time.
  @inline(__always)
  private mutating func countActive(at position: Int, until time: Double) {
    let active = active.spans[position]
    let source = sourceOfRank[active.span.rank]
    let seconds = time - active.from
    let lost = priority.timeLost(by: source, until: time) - active.lost
    let length = active.until - active.span.start
    // In most cases the span is counted whole and needs no division.
    let counted = max(0, seconds - lost)
    merged.count(
      active.span, seconds: seconds, fraction: counted == length ? 1 : counted / length)
    if isSeparate {
      separate[source].count(active.span, seconds: seconds, fraction: seconds / length)
    }
  }

  /// Counts the instantaneous samples at the current time, using the source that leads at that
  /// time.
  private mutating func countPoints() {
    let leader = priority.leader(amongPointsOf: points.lazy.map(\.rank))
    for point in points { countPoint(point, isCounted: sourceOfRank[point.rank] == leader) }
    points.removeAll(keepingCapacity: true)
  }

  private mutating func countPoint(_ point: StatisticsSpan, isCounted: Bool) {
    merged.count(point, seconds: 0, fraction: isCounted ? 1 : 0)
    guard isSeparate else { return }
    separate[sourceOfRank[point.rank]].count(point, seconds: 0, fraction: 1)
  }
}
