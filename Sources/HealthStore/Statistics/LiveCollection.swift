import Foundation
internal import SampleLog

/// A statistics collection that follows changes by computing the intervals that they touch.
struct LiveCollection: Sendable {
  private let store: StoreReader
  private let reader: StatisticsReader
  private let grid: StatisticsGrid
  private let covered: ClosedRange<Int>?
  private var table = StatisticsTable()
  private var unit: HKUnit
  private var priority: SourcePriority
  /// The end of the snapshot that the statistics are of.
  private var end: UInt64

  /// Computes the whole collection.
  init(_ request: StatisticsRequest, _ grid: StatisticsGrid, _ store: StoreReader) throws {
    self.store = store
    self.grid = grid
    reader = try StatisticsReader(request, store)
    covered = request.covered(grid)
    priority = try store.sourcePriority(of: request.quantityType)
    let snapshot = store.store.database.snapshot()
    unit = try reader.unit(in: snapshot)
    end = snapshot.end
    table = try whole(snapshot)
  }

  /// The series to follow.
  static func selection(
    _ request: StatisticsRequest, _ store: StoreReader
  ) throws -> SeriesSelection {
    try StatisticsReader(request, store).selection
  }

  /// The collection as it is now.
  var collection: HKStatisticsCollection {
    HKStatisticsCollection(
      reader.request.quantityType, unit: unit, grid: grid, table: table,
      isSeparate: reader.request.options.contains(.separateBySource), covered: covered)
  }

  /// Reads what a feed has and computes the intervals that it touches, and all of them where the
  /// order of the sources was changed.
  ///
  /// The feed tells the dates of deleted samples, so that these touch no more than others do.
  ///
  /// - Returns: The numbers of the intervals that are not as before, rising; nil when the feed has
  ///   nothing.
  mutating func update(from feed: ChangeFeed) throws -> [Int]? {
    // Newer than what the feed has, so a series that it tells of is known here.
    var touched = TouchedIntervals(
      grid, haveSeries: reader.mayHaveSeries(in: store.store.database.snapshot()))
    guard let snapshot = try touched.read(feed, after: end) else { return nil }
    let priority = try store.sourcePriority(of: reader.request.quantityType)
    defer { end = snapshot.end }
    guard priority == self.priority, table.count > 0 else {
      self.priority = priority
      if table.count == 0 { unit = try reader.unit(in: snapshot) }
      return table.replace(by: try whole(snapshot))
    }
    var changed: [Int] = []
    for range in touched.ranges {
      let pieces = try reader.pieces(
        in: grid, range, of: snapshot, unit: unit, priority: priority)
      changed += table.replace(
        range, by: pieces.flatMap(\.intervals), sources: pieces.first?.sources ?? [])
    }
    return changed
  }

  private func whole(_ snapshot: Snapshot) throws -> StatisticsTable {
    var table = StatisticsTable()
    for piece in try reader.pieces(in: grid, of: snapshot, unit: unit, priority: priority) {
      table.append(piece.intervals, sources: piece.sources)
    }
    return table
  }
}
