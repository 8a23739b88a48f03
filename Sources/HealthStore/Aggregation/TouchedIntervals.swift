import Foundation
import SampleLog

/// The intervals that samples overlap, as ranges.
struct TouchedIntervals {
  private var start: IntervalCursor<StatisticsGrid>
  private var end: IntervalCursor<StatisticsGrid>
  private var added: [ClosedRange<Int>] = []

  init(_ grid: StatisticsGrid, haveSeries: Bool) {
    self.haveSeries = haveSeries
    start = IntervalCursor(grid)
    end = IntervalCursor(grid)
  }

  /// The number of changes per page.
  private static let pageSize = 10_000

  /// Whether samples may hold several values.
  ///
  /// Such a sample may have an instantaneous value at its end.
  private let haveSeries: Bool

  /// Adds the intervals of a feed's pending changes after a sequence number.
  ///
  /// - Returns: The snapshot of the last page, or nil if the feed has no changes.
  mutating func read(_ feed: ChangeFeed, after end: UInt64) throws -> Snapshot? {
    var last: ChangePage?
    while last?.hasMore ?? true, let page = try feed.next(limit: Self.pageSize) {
      page.changes.rows.forEachRow { block, row in
        if block.sequence[row] > end { add(block.start[row], block.end[row]) }
      }
      last = page
    }
    return last?.snapshot
  }

  /// Adds the intervals that a sample overlaps, given its dates.
  mutating func add(_ first: Double, _ last: Double) {
    start.move(to: first)
    var range = start.index...start.index
    // A sample with an unknown end counts in its first interval only. A sample that ends on a
    // boundary does not overlap the interval that begins there.
    if last >= start.end, last != Date.distantFuture.timeIntervalSinceReferenceDate {
      end.move(to: haveSeries ? last : last.nextDown)
      range = start.index...max(start.index, end.index)
    }
    if added.last != range { added.append(range) }
  }

  /// The intervals as disjoint ranges in ascending order.
  var ranges: [ClosedRange<Int>] {
    var ranges: [ClosedRange<Int>] = []
    for range in added.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = ranges.last, range.lowerBound <= last.upperBound + 1 {
        ranges[ranges.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
      } else {
        ranges.append(range)
      }
    }
    return ranges
  }
}
