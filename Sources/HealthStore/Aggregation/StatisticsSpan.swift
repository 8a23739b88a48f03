/// A sample as input to statistics: a time range with a value.
///
/// The range is `[start, end)`. If the two are equal, the sample is instantaneous: it has no
/// duration but counts at its time.
struct StatisticsSpan: Sendable {
  /// The start of the sample, in seconds since the reference date.
  var start: Double

  /// The end of the sample, in seconds since the reference date; never before ``start``.
  var end: Double

  /// The sample's value, in the common unit of the merge: decibels for equivalent continuous
  /// levels.
  var value: Double

  /// The priority of the sample's source; 0 is the highest.
  ///
  /// A rank belongs to one source, but a source may have several, such as one for user-entered
  /// samples. ``SourceRanks`` assigns ranks.
  var rank: Int

  /// The sample's sequence number, which breaks ties between equal dates.
  var sequence: UInt64

  /// Whether ``end`` is a placeholder because the end is not known yet.
  var hasUnknownEnd = false

  /// The end of the sample for counting.
  ///
  /// A sample with an unknown end counts as instantaneous at its start: only in its first interval,
  /// and without covering other sources.
  var until: Double { hasUnknownEnd ? start : end }

  /// Whether the sample is instantaneous.
  var isPoint: Bool { until <= start }

  /// Adjusts the rank after another was inserted: ranks at or after it increase by one.
  mutating func insertRank(_ rank: Int) {
    if self.rank >= rank { self.rank += 1 }
  }

  /// Returns whether the sample is more recent than another: by end, then start, then sequence
  /// number.
  func isMoreRecent(than other: StatisticsSpan) -> Bool {
    if end != other.end { return end > other.end }
    if start != other.start { return start > other.start }
    return sequence > other.sequence
  }
}
