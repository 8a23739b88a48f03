/// Counts of the samples at top level that were imported before their copies in correlations or
/// workouts were read.
///
/// A copy that is read later finds its sample by the occurrence number.
struct ReleasedTable: Sendable {
  private var released = OccurrenceTable()
  private var taken = OccurrenceTable()

  /// Records a sample with a content.
  mutating func add(_ hash: SipHash128.Output) { _ = released.count(hash) }

  /// Returns the occurrence number of the next unmatched sample of a content, or nil if there is
  /// none.
  mutating func take(_ hash: SipHash128.Output) -> UInt32? {
    let number = taken.occurrences(of: hash) + 1
    return number <= released.occurrences(of: hash) ? taken.count(hash) : nil
  }
}
