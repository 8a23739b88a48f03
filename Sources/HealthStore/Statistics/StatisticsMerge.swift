internal import SampleLog

/// Computes statistics of spans interval by interval.
///
/// One sweep through time: spans are added in the order of their starts, and at any moment only
/// one interval is open. Of a cumulative type the source of the highest priority counts in
/// each stretch between two dates of samples, and all of its samples add up there; others fill the
/// gaps, and a sample that crosses a boundary or is displaced for a while counts in proportion. A
/// point takes part in its own moment only. Of a discrete type all samples count, whole for
/// minimum, maximum and most recent, in each interval that they have a part in.
///
/// Takes `n log n` time for `n` spans, and further time for each boundary that a span crosses.
struct StatisticsMerge<Intervals: StatisticsIntervals> {
  private let style: HKQuantityAggregationStyle
  private let isSeparate: Bool
  private var sourceOfRank: [Int]

  private var merged: StatisticsAccumulator
  /// What is known of an interval before anything has been counted.
  private let empty: StatisticsAccumulator
  /// By source; empty unless asked for.
  private var separate: [StatisticsAccumulator] = []
  private var lasting = LastingSpans()
  private var contest: SourceContest
  /// Points of the same moment, which are counted when all that happens then is known.
  private var points: [StatisticsSpan] = []

  /// A span that began when nothing lasted; where nothing begins before it ends either, it needs no
  /// comparison with others.
  private var isolated: StatisticsSpan?

  /// The open interval; none is before the first span.
  private var open: IntervalCursor<Intervals>
  private var finished: [StatisticsInterval] = []

  /// What is known of samples that are not added, by the number of the interval that they lie in.
  ///
  /// They must not overlap any sample that is added where that would matter;
  /// ``AggregateRule`` says when it does not.
  var aggregates: [Int: Aggregate] = [:]

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
    open = IntervalCursor(intervals)
    self.style = style
    self.sourceOfRank = sourceOfRank
    empty = StatisticsAccumulator(style, options)
    merged = empty
    contest = SourceContest(sourceOfRank: sourceOfRank)
    isSeparate = options.contains(.separateBySource)
    addSources()
  }

  private mutating func addSources() {
    guard isSeparate else { return }
    let missing = (sourceOfRank.max() ?? -1) + 1 - separate.count
    separate.append(contentsOf: repeatElement(empty, count: max(0, missing)))
  }

  /// Makes room for a rank of a source, a new one or one that has others: ranks that were not above
  /// it move down by one.
  mutating func insertRank(_ rank: Int, of source: Int) {
    sourceOfRank.insert(source, at: rank)
    contest.insertRank(rank, of: source)
    lasting.insertRank(rank)
    for index in points.indices { points[index].insertRank(rank) }
    isolated?.insertRank(rank)
    addSources()
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
  @inline(__always)
  mutating func add(_ span: StatisticsSpan) {
    // Inlined, because a span that is copied from memory just written to is waited for.
    passIsolated(before: span.start)
    if follows(span) { return }
    advance(to: span.start)
    if !span.isPoint {
      if lasting.isEmpty, points.isEmpty { isolated = span } else { begin(span) }
    } else if style == .cumulative {
      points.append(span)
    } else {
      countPoint(span, isCounted: true)
    }
  }

  /// Returns the intervals that have samples, in the order of time.
  mutating func finish() -> [StatisticsInterval] {
    passIsolated(before: .infinity)
    countPoints()
    while !lasting.isEmpty { passEndOrBoundary() }
    close()
    if aggregates.isEmpty { return finished }
    // The others are of intervals that nothing was added to.
    let isSorted = finished.isEmpty
    for index in aggregates.keys.sorted() {
      if let aggregate = aggregates[index] { merged.add(aggregate) }
      close(index)
    }
    if !isSorted { finished.sort { $0.index < $1.index } }
    return finished
  }

  /// Counts the isolated span if it ends by a time, and lets it last on with others if it does not.
  private mutating func passIsolated(before time: Double) {
    guard let span = isolated else { return }
    isolated = nil
    if span.until > min(time, open.end) { return begin(span) }
    merged.countIsolated(span)
    if isSeparate { separate[sourceOfRank[span.rank]].countIsolated(span) }
  }

  /// Puts a span into the position of one of its rank that ends when it begins, if there is one:
  /// that changes nothing for other samples.
  @inline(__always)
  private mutating func follows(_ span: StatisticsSpan) -> Bool {
    guard lasting.firstEnd == span.start, lasting.spans[0].span.rank == span.rank,
      span.start < open.end, !span.isPoint, points.isEmpty
    else { return false }
    countLasting(at: 0, until: span.start)
    let lost = contest.timeLost(by: sourceOfRank[span.rank], until: span.start)
    lasting.replaceFirst(by: LastingSpan(span, lost: lost))
    return true
  }

  private mutating func advance(to time: Double) {
    if let point = points.first, point.start < time { countPoints() }
    while !lasting.isEmpty, min(lasting.firstEnd, open.end) <= time { passEndOrBoundary() }
    if time >= open.end {
      // Nothing lasts.
      close()
      open.move(to: time)
    }
  }

  /// Goes on to the next end of a span or of the interval, and to the span's where they are one.
  private mutating func passEndOrBoundary() {
    if lasting.firstEnd <= open.end { finishFirst() } else { crossBoundary() }
  }

  private mutating func begin(_ span: StatisticsSpan) {
    let (time, source) = (span.start, sourceOfRank[span.rank])
    if style == .cumulative { contest.begin(span.rank, at: time) }
    merged.begin(at: time)
    if isSeparate { separate[source].begin(at: time) }
    lasting.insert(LastingSpan(span, lost: contest.timeLost(by: source, until: time)))
  }

  /// The first span to end does so.
  private mutating func finishFirst() {
    let (time, rank) = (lasting.firstEnd, lasting.spans[0].span.rank)
    countLasting(at: 0, until: time)
    lasting.removeFirst()
    if style == .cumulative { contest.end(rank, at: time) }
    merged.end(at: time)
    if isSeparate { separate[sourceOfRank[rank]].end(at: time) }
  }

  /// Ends the interval and begins the next one with the spans that last on.
  private mutating func crossBoundary() {
    let time = open.end
    for position in lasting.spans.indices { countLasting(at: position, until: time) }
    close()
    // Where a calendar skips a day, the day is an interval in which nothing fits.
    repeat { open.moveToNext() } while open.end <= time
    for position in lasting.spans.indices {
      let source = sourceOfRank[lasting.spans[position].span.rank]
      lasting.note(from: time, lost: contest.timeLost(by: source, until: time), at: position)
    }
  }

  /// Ends the open interval, if there is one.
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
  /// Counts what a span has in the open interval up to a time.
  @inline(__always)
  private mutating func countLasting(at position: Int, until time: Double) {
    let lasting = lasting.spans[position]
    let source = sourceOfRank[lasting.span.rank]
    let seconds = time - lasting.from
    let lost = contest.timeLost(by: source, until: time) - lasting.lost
    let length = lasting.until - lasting.span.start
    // Mostly there is nothing to divide.
    let counted = max(0, seconds - lost)
    merged.count(
      lasting.span, seconds: seconds, fraction: counted == length ? 1 : counted / length)
    if isSeparate {
      separate[source].count(lasting.span, seconds: seconds, fraction: seconds / length)
    }
  }

  /// Counts the points of a moment: those of the source that counts then.
  private mutating func countPoints() {
    let leader = contest.leader(amongPointsOf: points.lazy.map(\.rank))
    for point in points { countPoint(point, isCounted: sourceOfRank[point.rank] == leader) }
    points.removeAll(keepingCapacity: true)
  }

  private mutating func countPoint(_ point: StatisticsSpan, isCounted: Bool) {
    merged.count(point, seconds: 0, fraction: isCounted ? 1 : 0)
    guard isSeparate else { return }
    separate[sourceOfRank[point.rank]].count(point, seconds: 0, fraction: 1)
  }
}
