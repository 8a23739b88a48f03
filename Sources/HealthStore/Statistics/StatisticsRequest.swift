import Foundation
internal import SampleLog

/// What statistics are asked for: of which samples, and which values.
struct StatisticsRequest: Sendable {
  let quantityType: HKQuantityType
  let condition: SampleCondition
  let options: HKStatisticsOptions

  /// Whether it matters which source a sample is of.
  var asksForSources: Bool {
    quantityType.aggregationStyle == .cumulative || options.contains(.separateBySource)
  }

  /// The columns of rows that are read, beside start dates and sequence numbers.
  var columns: ColumnSet {
    let always: ColumnSet = [.end, .value, .unit]
    return asksForSources ? always.union([.source, .device, .extras]) : always
  }

  /// The intervals of a grid that the condition asks about; nil where it does not limit them.
  func covered(_ grid: StatisticsGrid) -> ClosedRange<Int>? {
    let hull = DateHull(condition)
    let first = max(hull.start.lower, hull.end.lower)
    let last = min(hull.start.upper, hull.end.upper)
    guard first.isFinite, last.isFinite, first <= last else { return nil }
    return grid.index(at: first)...grid.index(at: last)
  }
}
