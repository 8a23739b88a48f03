/// A span that has begun, and how far it has been counted.
struct LastingSpan: Sendable {
  /// A span that takes time.
  var span: StatisticsSpan

  /// Up to when the span has been counted: its start, or the last boundary it crossed.
  var from: Double

  /// How long its source had been displaced by then.
  var lost: Double

  init(_ span: StatisticsSpan, lost: Double) {
    self.span = span
    self.lost = lost
    from = span.start
  }

  /// When the span ends, which is known of each that takes time.
  var until: Double { span.end }
}

/// The spans that last at one moment, with the one that ends first in front.
///
/// A binary heap: adding and removing take logarithmic time.
struct LastingSpans: Sendable {
  /// The heap: the span that ends first is the first, the order of the others is unspecified.
  private(set) var spans: [LastingSpan] = []

  /// Whether nothing lasts.
  var isEmpty: Bool { spans.isEmpty }

  /// When the first span ends; infinity where nothing lasts.
  var firstEnd: Double { spans.isEmpty ? .infinity : spans[0].until }

  /// Adds a span.
  mutating func insert(_ span: LastingSpan) {
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

  /// Removes the span that ends first and adds another.
  @inline(__always)
  mutating func replaceFirst(by span: LastingSpan) {
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

  /// Notes up to when a span has been counted, which does not change when it ends.
  mutating func note(from: Double, lost: Double, at position: Int) {
    spans[position].from = from
    spans[position].lost = lost
  }

  /// Makes room for a rank.
  mutating func insertRank(_ rank: Int) {
    for position in spans.indices { spans[position].span.insertRank(rank) }
  }
}
