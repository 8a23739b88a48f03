/// A sample as statistics see it: a stretch of time with a number.
///
/// The stretch is `[start, end)`; where nothing lies between the two it is a point, which takes no
/// time but happened.
struct StatisticsSpan: Sendable {
  /// When the sample begins, in seconds since the reference date.
  var start: Double

  /// When the sample ends, in seconds since the reference date; never before ``start``.
  var end: Double

  /// The sample's number, in the unit that all spans of a merge share: decibels where the average
  /// is one of levels.
  var value: Double

  /// The sample's position in the order of sources; the lowest number has the highest priority.
  ///
  /// A rank belongs to one source, but a source may have several, such as one for what its user
  /// entered; ``SourcePriority`` gives them out.
  var rank: Int

  /// The sample's sequence number, which decides between samples of the same dates.
  var sequence: UInt64

  /// Whether ``end`` stands for an end that nobody knows yet.
  var hasUnknownEnd = false

  /// Where the sample ends as far as it is counted.
  ///
  /// A sample without a known end is counted as a point at its start: in its first interval only,
  /// and in nobody's way.
  var until: Double { hasUnknownEnd ? start : end }

  /// Whether the sample takes no time.
  var isPoint: Bool { until <= start }

  /// Moves down if a rank is inserted above.
  mutating func insertRank(_ rank: Int) {
    if self.rank >= rank { self.rank += 1 }
  }

  /// Whether the sample is more recent than another: by end, then start, then sequence number.
  func isMoreRecent(than other: StatisticsSpan) -> Bool {
    if end != other.end { return end > other.end }
    if start != other.start { return start > other.start }
    return sequence > other.sequence
  }
}
