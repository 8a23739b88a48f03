/// Computes the total duration of each category value, interval by interval.
///
/// One sweep through time with the same priority resolution as ``StatisticsMerge``: at each moment
/// only the samples of the highest-priority source count. Time covered by several of its samples
/// with the same value counts once. Instantaneous samples add nothing.
///
/// Takes `n log n` time for `n` spans, and further time for each boundary that a span crosses.
struct CategoryDurationMerge<Intervals: StatisticsIntervals> {
  private var sourceOfRank: [Int] = []
  private var priority = PriorityResolution(sourceOfRank: [])
  private var active = ActiveSpans()
  /// The number of active samples of each value, by source.
  ///
  /// Values without any are missing.
  private var values: [[Int: Int]] = []

  /// The open interval, or an empty one before the first span.
  private var open: IntervalCursor<Intervals>
  /// The duration of each value in the open interval up to `now`, in seconds.
  private var covered: [Int: Double] = [:]
  private var now = -Double.infinity
  private var finished: [(index: Int, durations: [Int: Double])] = []

  /// Begins without spans and without ranks.
  init(_ intervals: Intervals) { open = IntervalCursor(intervals) }

  /// Inserts a rank for a new or known source.
  ///
  /// Ranks at or after it increase by one.
  mutating func insertRank(_ rank: Int, of source: Int) {
    sourceOfRank.insert(source, at: rank)
    priority.insertRank(rank, of: source)
    active.insertRank(rank)
    while values.count <= source { values.append([:]) }
  }

  /// Adds a span with an integral value.
  ///
  /// Spans must be added in ascending order of start.
  mutating func add(_ span: StatisticsSpan) {
    if span.isPoint { return }
    while !active.isEmpty, min(active.firstEnd, open.end) <= span.start { crossEndOrBoundary() }
    if span.start >= open.end {
      // No span is active.
      close()
      open.move(to: span.start)
    }
    elapse(to: span.start)
    priority.begin(span.rank, at: span.start)
    values[sourceOfRank[span.rank]][Int(span.value), default: 0] += 1
    active.insert(ActiveSpan(span, lost: 0))
  }

  /// Returns the durations of each interval that has any, in seconds, in chronological order.
  mutating func finish() -> [(index: Int, durations: [Int: Double])] {
    while !active.isEmpty { crossEndOrBoundary() }
    close()
    return finished
  }

  /// Advances to the next end of a span or of the interval.
  ///
  /// On a tie, the span ends first.
  private mutating func crossEndOrBoundary() {
    if active.firstEnd <= open.end {
      finishFirst()
    } else {
      elapse(to: open.end)
      close()
      // A calendar may skip a day; that day's interval is empty.
      repeat { open.moveToNext() } while open.end <= now
    }
  }

  /// Ends the active span that ends first.
  private mutating func finishFirst() {
    let (time, span) = (active.firstEnd, active.spans[0].span)
    elapse(to: time)
    active.removeFirst()
    priority.end(span.rank, at: time)
    let (source, value) = (sourceOfRank[span.rank], Int(span.value))
    let remaining = (values[source][value] ?? 1) - 1
    values[source][value] = remaining == 0 ? nil : remaining
  }

  /// Adds the time since `now` to the values of the source with the highest priority.
  private mutating func elapse(to time: Double) {
    if time > now, let source = priority.leadingSource {
      for value in values[source].keys { covered[value, default: 0] += time - now }
    }
    now = time
  }

  private mutating func close() {
    if covered.isEmpty { return }
    finished.append((open.index, covered))
    covered.removeAll(keepingCapacity: true)
  }
}
