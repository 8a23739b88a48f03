import Foundation
import SampleLog

/// The intervals that samples have a part in, as ranges.
struct TouchedIntervals {
  private var start: IntervalCursor<StatisticsGrid>
  private var end: IntervalCursor<StatisticsGrid>
  private var added: [ClosedRange<Int>] = []

  init(_ grid: StatisticsGrid, haveSeries: Bool) {
    self.haveSeries = haveSeries
    start = IntervalCursor(grid)
    end = IntervalCursor(grid)
  }

  /// How many changes are read at once.
  private static let pageSize = 10_000

  /// Whether samples may stand for several values, one of which may be a moment at a sample's end.
  private let haveSeries: Bool

  /// Adds the intervals of all changes that a feed has and that come after a sequence number.
  ///
  /// - Returns: What was read last; nil when the feed has nothing.
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

  /// Adds the intervals of a sample from one date to another.
  mutating func add(_ first: Double, _ last: Double) {
    start.move(to: first)
    var range = start.index...start.index
    // A sample without a known end counts in its first interval, and an end on a boundary is none
    // of the interval after it.
    if last >= start.end, last != Date.distantFuture.timeIntervalSinceReferenceDate {
      end.move(to: haveSeries ? last : last.nextDown)
      range = start.index...max(start.index, end.index)
    }
    if added.last != range { added.append(range) }
  }

  /// The intervals as ranges that are apart, rising.
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
