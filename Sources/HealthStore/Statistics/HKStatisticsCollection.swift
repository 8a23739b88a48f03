public import Foundation

/// Statistics of one type for consecutive intervals, such as days.
///
/// Only queries create collections. Intervals begin at the anchor date and at whole multiples of
/// the interval components before and after it, in a calendar. The collection stores the numbers of
/// intervals with samples and creates objects on request. Immutable and safe to share between
/// threads.
open class HKStatisticsCollection: NSObject, @unchecked Sendable {
  let quantityType: HKQuantityType

  /// The unit of all values except durations.
  let unit: HKUnit

  let grid: StatisticsGrid

  /// The values of the intervals that have samples.
  let table: StatisticsTable

  /// Whether statistics by source were requested.
  private let isSeparate: Bool

  /// The intervals for which `statistics(for:)` returns an object.
  let covered: ClosedRange<Int>?

  /// Creates a collection.
  ///
  /// `isSeparate` specifies whether statistics by source were requested. `covered` is the requested
  /// range of intervals; it is extended to all intervals between the first and the last with
  /// samples.
  init(
    _ quantityType: HKQuantityType, unit: HKUnit, grid: StatisticsGrid, table: StatisticsTable,
    isSeparate: Bool, covered: ClosedRange<Int>? = nil
  ) {
    self.quantityType = quantityType
    self.unit = unit
    self.grid = grid
    self.table = table
    self.isSeparate = isSeparate
    var bounds = covered
    if let range = table.range {
      bounds =
        min(
          range.lowerBound, covered?.lowerBound ?? range.lowerBound)...max(
          range.upperBound, covered?.upperBound ?? range.upperBound)
    }
    self.covered = bounds
    super.init()
  }

  /// Returns the statistics of the interval that contains a date.
  ///
  /// Returns nil for a date before the first or after the last covered interval. A covered interval
  /// without samples has nil quantities. Takes logarithmic time and a few calendar computations.
  open func statistics(for date: Date) -> HKStatistics? {
    let index = grid.index(at: date)
    guard let covered, covered.contains(index) else { return nil }
    return statistics(at: index)
  }

  /// Calls a block with the statistics of each interval from the one that contains the first date
  /// to the one that contains the second date, in chronological order.
  ///
  /// Intervals without samples have nil quantities. Objects are created one at a time. Setting the
  /// block's second argument to true stops the enumeration, so later intervals cost nothing. The
  /// block is not called if the second date is before the first.
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

  /// Returns the statistics of the intervals that have samples, in chronological order.
  ///
  /// Creates an object for each interval.
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

  /// Returns the sources of all samples; empty unless `separateBySource` was requested.
  ///
  /// - Complexity: Linear in the number of intervals that have samples.
  open func sources() -> Set<HKSource> { table.sourcesWithSamples() }

  /// The class name, the type and the number of intervals that have samples.
  open override var description: String {
    "HKStatisticsCollection \(quantityType.identifier), \(table.count) intervals with samples"
  }

  /// Returns the statistics of the interval with the given number.
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
