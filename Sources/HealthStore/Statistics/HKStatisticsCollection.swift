public import Foundation

/// Statistics of one type for intervals that follow one another, such as days.
///
/// Only a query makes one. Intervals begin at the anchor date and at whole multiples of the
/// interval components before and after it, in a calendar. Those with samples are stored, and the
/// others are made when they are asked for. Immutable and safe to share between threads.
open class HKStatisticsCollection: NSObject, @unchecked Sendable {
  /// The type of the samples.
  let quantityType: HKQuantityType

  /// The unit of all values but durations.
  let unit: HKUnit

  /// What the time is cut into.
  let grid: StatisticsGrid

  /// The numbers of the intervals that have samples, rising.
  let indices: [Int]

  /// The statistics of those intervals.
  private let populated: [HKStatistics]

  /// Whether statistics for each source were asked for.
  private let isSeparate: Bool

  /// The intervals that `statistics(for:)` has an object for.
  let covered: ClosedRange<Int>?

  /// The statistics of the intervals that a merge computed, which rise by number.
  ///
  /// `sources` are in the order of the numbers that the merge knew them by, and `isSeparate` says
  /// whether statistics for each of them were asked for. `covered` are the intervals that were
  /// asked about; those from the first to the last with samples always count as such.
  init(
    _ quantityType: HKQuantityType, unit: HKUnit, grid: StatisticsGrid,
    intervals: [StatisticsInterval], sources: [HKSource], isSeparate: Bool,
    covered: ClosedRange<Int>? = nil
  ) {
    self.quantityType = quantityType
    self.unit = unit
    self.grid = grid
    self.isSeparate = isSeparate
    indices = intervals.map(\.index)
    populated = intervals.map { interval in
      HKStatistics(
        quantityType, from: grid.startDate(of: interval.index),
        to: grid.startDate(of: interval.index + 1), unit: unit, interval: interval,
        sources: isSeparate ? sources : nil)
    }
    var hull = covered
    if let first = indices.first, let last = indices.last {
      hull = min(first, covered?.lowerBound ?? first)...max(last, covered?.upperBound ?? last)
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
    var index = grid.index(at: startDate)
    let last = grid.index(at: endDate)
    while index <= last, !stop.boolValue {
      block(statistics(at: index), &stop)
      index += 1
    }
  }

  /// The statistics of the intervals that have samples, in the order of time.
  open func statistics() -> [HKStatistics] { populated }

  /// The sources of all samples; empty unless `separateBySource` was asked for.
  ///
  /// Takes time in proportion to the intervals that have samples.
  open func sources() -> Set<HKSource> {
    Set(populated.flatMap { $0.sources ?? [] })
  }

  /// The class, the type and how many intervals have samples.
  open override var description: String {
    "HKStatisticsCollection \(quantityType.identifier), \(populated.count) intervals with samples"
  }

  private func statistics(at index: Int) -> HKStatistics {
    var (low, high) = (0, indices.count)
    while low < high {
      let middle = low + (high - low) / 2
      if indices[middle] < index { low = middle + 1 } else { high = middle }
    }
    if low < indices.count, indices[low] == index { return populated[low] }
    return HKStatistics(
      quantityType, from: grid.startDate(of: index), to: grid.startDate(of: index + 1),
      unit: unit, sources: isSeparate ? [] : nil)
  }
}
