import SampleLog

/// The number of hours per day in which a subject stood.
///
/// Hours are counted from the day's midnight. A sample counts for the hour in which it starts.
/// Several samples of one hour count once, even from different sources.
struct StandHours {
  /// A bit set of the hours of each day, by the day's number in the grid.
  private var hours: [Int: UInt64] = [:]
  private var cursor: IntervalCursor<StatisticsGrid>

  init(_ grid: StatisticsGrid) { cursor = IntervalCursor(grid) }

  /// Adds a sample with the given start.
  ///
  /// In ascending order, few calls consult the calendar.
  mutating func add(_ time: Double) {
    cursor.move(to: time)
    let hour = ((time - cursor.start) / 3_600).rounded(.down)
    // The first interval of the grid has no finite start.
    hours[cursor.index, default: 0] |= 1 << UInt64(hour.isFinite ? min(hour, 63) : 0)
  }

  /// The number of hours, by the day's number.
  var counts: [Int: Int] { hours.mapValues(\.nonzeroBitCount) }
}
