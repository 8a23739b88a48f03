import Foundation
internal import SampleLog

/// The samples and the values that statistics are requested for.
struct StatisticsRequest: Sendable {
  let quantityType: HKQuantityType
  let condition: SampleCondition
  let options: HKStatisticsOptions

  /// Whether the result depends on the sources of samples.
  var asksForSources: Bool {
    quantityType.aggregationStyle == .cumulative || options.contains(.separateBySource)
  }

  /// The columns to read, in addition to start dates and sequence numbers.
  var columns: ColumnSet {
    let always: ColumnSet = [.end, .value, .unit]
    return asksForSources ? always.union([.source, .device, .extras]) : always
  }

  /// Returns the intervals that the condition limits the request to, or nil if it sets no limits.
  func covered(_ grid: StatisticsGrid) -> ClosedRange<Int>? {
    let bounds = DateBounds(condition)
    let first = max(bounds.start.lower, bounds.end.lower)
    let last = min(bounds.start.upper, bounds.end.upper)
    guard first.isFinite, last.isFinite, first <= last else { return nil }
    return grid.index(at: first)...grid.index(at: last)
  }
}
