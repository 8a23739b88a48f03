import SampleLog

/// The hours of days in which somebody stood.
///
/// Hours are those that have passed since the day's midnight, and a sample counts for the
/// one that it begins in. Several samples of one hour count once, whatever their sources.
struct StandHours {
  /// The hours of each day as bits, by the day's number in a grid of days.
  private var hours: [Int: UInt64] = [:]
  private var cursor: IntervalCursor<StatisticsGrid>

  init(_ grid: StatisticsGrid) { cursor = IntervalCursor(grid) }

  /// Adds a sample that begins at a time; in rising order of time it asks the calendar rarely.
  mutating func add(_ time: Double) {
    cursor.move(to: time)
    let hour = ((time - cursor.start) / 3_600).rounded(.down)
    // The day before all others has no midnight.
    hours[cursor.index, default: 0] |= 1 << UInt64(hour.isFinite ? min(hour, 63) : 0)
  }

  /// How many hours there are, by the day's number.
  var counts: [Int: Int] { hours.mapValues(\.nonzeroBitCount) }
}
