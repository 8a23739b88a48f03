/// Computes how long samples of each category value last, interval by interval.
///
/// One sweep through time, as in ``StatisticsMerge``, with the same contest of sources: at each
/// moment the samples of the source that counts do so, and time that several of them with one value
/// cover counts once. Samples that take no time count for nothing.
///
/// Takes `n log n` time for `n` spans, and further time for each boundary that a span crosses.
struct CategoryDurationMerge<Intervals: StatisticsIntervals> {
  private var sourceOfRank: [Int] = []
  private var contest = SourceContest(sourceOfRank: [])
  private var lasting = LastingSpans()
  /// By source, how many samples last of each value that has any.
  private var values: [[Int: Int]] = []

  /// The open interval; none is before the first span.
  private var open: IntervalCursor<Intervals>
  /// Of each value, how long it has lasted in the open interval until `now`, in seconds.
  private var covered: [Int: Double] = [:]
  private var now = -Double.infinity
  private var finished: [(index: Int, durations: [Int: Double])] = []

  /// Begins without spans and without ranks.
  init(_ intervals: Intervals) { open = IntervalCursor(intervals) }

  /// Makes room for a rank of a source, a new one or one that has others: ranks that were not above
  /// it move down by one.
  mutating func insertRank(_ rank: Int, of source: Int) {
    sourceOfRank.insert(source, at: rank)
    contest.insertRank(rank, of: source)
    lasting.insertRank(rank)
    while values.count <= source { values.append([:]) }
  }

  /// Adds a span of a whole number, which must not start before one that was added already.
  mutating func add(_ span: StatisticsSpan) {
    if span.isPoint { return }
    while !lasting.isEmpty, min(lasting.firstEnd, open.end) <= span.start { passEndOrBoundary() }
    if span.start >= open.end {
      // Nothing lasts.
      close()
      open.move(to: span.start)
    }
    elapse(to: span.start)
    contest.begin(span.rank, at: span.start)
    values[sourceOfRank[span.rank]][Int(span.value), default: 0] += 1
    lasting.insert(LastingSpan(span, lost: 0))
  }

  /// Returns the seconds of each value in the intervals that have any, in the order of time.
  mutating func finish() -> [(index: Int, durations: [Int: Double])] {
    while !lasting.isEmpty { passEndOrBoundary() }
    close()
    return finished
  }

  /// Goes on to the next end of a span or of the interval, and to the span's where they are one.
  private mutating func passEndOrBoundary() {
    if lasting.firstEnd <= open.end {
      finishFirst()
    } else {
      elapse(to: open.end)
      close()
      // Where a calendar skips a day, the day is an interval in which nothing fits.
      repeat { open.moveToNext() } while open.end <= now
    }
  }

  /// The first span to end does so.
  private mutating func finishFirst() {
    let (time, span) = (lasting.firstEnd, lasting.spans[0].span)
    elapse(to: time)
    lasting.removeFirst()
    contest.end(span.rank, at: time)
    let (source, value) = (sourceOfRank[span.rank], Int(span.value))
    let remaining = (values[source][value] ?? 1) - 1
    values[source][value] = remaining == 0 ? nil : remaining
  }

  /// Counts the time since the moment before for the source that counts.
  private mutating func elapse(to time: Double) {
    if time > now, let source = contest.leadingSource {
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
