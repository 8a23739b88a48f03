public import Foundation

/// Statistics of one type for intervals that follow one another, such as days.
///
/// Only a query makes one. Intervals begin at the anchor date and at whole multiples of the
/// interval components before and after it, in a calendar. The numbers of those with samples are
/// stored, and objects are made of them when they are asked for. Immutable and safe to share
/// between threads.
open class HKStatisticsCollection: NSObject, @unchecked Sendable {
  /// The type of the samples.
  let quantityType: HKQuantityType

  /// The unit of all values but durations.
  let unit: HKUnit

  /// What the time is cut into.
  let grid: StatisticsGrid

  /// What was computed for the intervals that have samples.
  let table: StatisticsTable

  /// Whether statistics for each source were asked for.
  private let isSeparate: Bool

  /// The intervals that `statistics(for:)` has an object for.
  let covered: ClosedRange<Int>?

  /// The statistics of intervals.
  ///
  /// `isSeparate` says whether statistics for each source were asked for. `covered` are the
  /// intervals that were asked about; those from the first to the last with samples always count
  /// as such.
  init(
    _ quantityType: HKQuantityType, unit: HKUnit, grid: StatisticsGrid, table: StatisticsTable,
    isSeparate: Bool, covered: ClosedRange<Int>? = nil
  ) {
    self.quantityType = quantityType
    self.unit = unit
    self.grid = grid
    self.table = table
    self.isSeparate = isSeparate
    var hull = covered
    if let range = table.range {
      hull =
        min(
          range.lowerBound, covered?.lowerBound ?? range.lowerBound)...max(
          range.upperBound, covered?.upperBound ?? range.upperBound)
    }
    self.covered = hull
    super.init()
  }

  /// The statistics of the interval that a date lies in.
  ///
  /// An interval without samples has nil quantities; nil stands for intervals before all that have
  /// samples and after them. Takes logarithmic time, and asks the calendar a few times.
  open func statistics(for date: Date) -> HKStatistics? {
    let index = grid.index(at: date)
    guard let covered, covered.contains(index) else { return nil }
    return statistics(at: index)
  }

  /// Calls a block with the statistics of each interval, from the one that the first date lies in
  /// to the one that the second date lies in, in the order of time.
  ///
  /// Intervals without samples have nil quantities and are made one by one, so that a long stretch
  /// costs nothing beyond the interval at which the block sets its second argument to true, which
  /// ends the enumeration. Nothing is enumerated where the second date is before the first.
  open func enumerateStatistics(
    from startDate: Date, to endDate: Date,
    with block: @escaping (HKStatistics, UnsafeMutablePointer<ObjCBool>) -> Void
  ) {
    guard startDate <= endDate else { return }
    var stop: ObjCBool = false
    var cursor = IntervalCursor(grid)
    cursor.move(to: startDate.timeIntervalSinceReferenceDate)
    let last = grid.index(at: endDate)
    while cursor.index <= last {
      block(statistics(&cursor), &stop)
      if stop.boolValue { return }
      cursor.moveToNext()
    }
  }

  /// The statistics of the intervals that have samples, in the order of time.
  ///
  /// Makes an object of each.
  open func statistics() -> [HKStatistics] {
    var cursor = IntervalCursor(grid)
    var all: [HKStatistics] = []
    all.reserveCapacity(table.count)
    table.forEach { interval in
      cursor.move(toInterval: interval.index)
      all.append(statistics(of: interval, cursor))
    }
    return all
  }

  /// The sources of all samples; empty unless `separateBySource` was asked for.
  ///
  /// Takes time in proportion to the intervals that have samples.
  open func sources() -> Set<HKSource> { table.sourcesWithSamples() }

  /// The class, the type and how many intervals have samples.
  open override var description: String {
    "HKStatisticsCollection \(quantityType.identifier), \(table.count) intervals with samples"
  }

  /// The statistics of the interval of a number.
  func statistics(at index: Int) -> HKStatistics {
    var cursor = IntervalCursor(grid)
    cursor.move(toInterval: index)
    return statistics(&cursor)
  }

  private func statistics(_ cursor: inout IntervalCursor<StatisticsGrid>) -> HKStatistics {
    statistics(of: table[cursor.index] ?? StatisticsInterval(index: cursor.index), cursor)
  }

  private func statistics(
    of interval: StatisticsInterval, _ cursor: IntervalCursor<StatisticsGrid>
  ) -> HKStatistics {
    HKStatistics(
      quantityType, from: StatisticsGrid.date(cursor.start), to: StatisticsGrid.date(cursor.end),
      unit: unit, interval: interval, sources: isSeparate ? table.sources : nil)
  }
}
