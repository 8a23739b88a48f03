/// Counts the samples that were taken without what contains them, so that copies inside others,
/// which come later, find them by their number.
struct ReleasedTable: Sendable {
  private var released = OccurrenceTable()
  private var taken = OccurrenceTable()

  /// Notes a sample.
  mutating func add(_ hash: SipHash128.Output) { _ = released.count(hash) }

  /// Returns the number of the next sample with a content, or nil if all were taken.
  mutating func take(_ hash: SipHash128.Output) -> UInt32? {
    let number = taken.occurrences(of: hash) + 1
    return number <= released.occurrences(of: hash) ? taken.count(hash) : nil
  }
}
