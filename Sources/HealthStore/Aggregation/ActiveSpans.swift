/// An active span and its progress.
struct ActiveSpan: Sendable {
  /// The span, which is not instantaneous.
  var span: StatisticsSpan

  /// The time up to which the span has been counted: its start, or the last boundary it crossed.
  var from: Double

  /// The time for which a higher-priority source had covered the span's source at `from`, in
  /// seconds.
  var lost: Double

  init(_ span: StatisticsSpan, lost: Double) {
    self.span = span
    self.lost = lost
    from = span.start
  }

  /// The end of the span.
  var until: Double { span.end }
}

/// The spans that are active at one point in time, as a min-heap by end.
///
/// Insertion and removal take logarithmic time.
struct ActiveSpans: Sendable {
  /// The heap: the first span ends first; the order of the others is unspecified.
  private(set) var spans: [ActiveSpan] = []

  /// Whether no span is active.
  var isEmpty: Bool { spans.isEmpty }

  /// The earliest end of an active span, or infinity if there is none.
  var firstEnd: Double { spans.isEmpty ? .infinity : spans[0].until }

  mutating func insert(_ span: ActiveSpan) {
    spans.append(span)
    spans.withUnsafeMutableBufferPointer { spans in
      var child = spans.count - 1
      while child > 0 {
        let parent = (child - 1) / 2
        if spans[parent].until <= span.until { break }
        spans[child] = spans[parent]
        child = parent
      }
      spans[child] = span
    }
  }

  /// Removes the span that ends first.
  mutating func removeFirst() {
    let last = spans.removeLast()
    if !spans.isEmpty { replaceFirst(by: last) }
  }

  /// Replaces the span that ends first with another.
  @inline(__always)
  mutating func replaceFirst(by span: ActiveSpan) {
    spans.withUnsafeMutableBufferPointer { spans in
      var parent = 0
      while 2 * parent + 1 < spans.count {
        var child = 2 * parent + 1
        if child + 1 < spans.count, spans[child + 1].until < spans[child].until { child += 1 }
        if span.until <= spans[child].until { break }
        spans[parent] = spans[child]
        parent = child
      }
      spans[parent] = span
    }
  }

  /// Records the time up to which a span has been counted.
  ///
  /// This does not affect the heap order.
  mutating func note(from: Double, lost: Double, at position: Int) {
    spans[position].from = from
    spans[position].lost = lost
  }

  /// Inserts a rank.
  ///
  /// Ranks at or after it increase by one.
  mutating func insertRank(_ rank: Int) {
    for position in spans.indices { spans[position].span.insertRank(rank) }
  }
}
