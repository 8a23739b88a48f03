import Foundation
internal import SampleLog

/// A statistics collection that is updated by recomputing only the intervals that changes touch.
struct LiveCollection: Sendable {
  private let store: StoreReader
  private let reader: StatisticsReader
  private let grid: StatisticsGrid
  private let covered: ClosedRange<Int>?
  private var table = StatisticsTable()
  private var unit: HKUnit
  private var priority: SourcePriority
  /// The end of the snapshot that the statistics reflect.
  private var end: UInt64

  /// Computes the complete collection.
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

  /// Returns the series to subscribe to.
  static func selection(
    _ request: StatisticsRequest, _ store: StoreReader
  ) throws -> SeriesSelection {
    try StatisticsReader(request, store).selection
  }

  var collection: HKStatisticsCollection {
    HKStatisticsCollection(
      reader.request.quantityType, unit: unit, grid: grid, table: table,
      isSeparate: reader.request.options.contains(.separateBySource), covered: covered)
  }

  /// Reads the pending changes of a feed and recomputes the intervals they touch.
  ///
  /// Recomputes all intervals if the source order changed.
  ///
  /// The feed reports the dates of deleted samples, so a deletion touches no more intervals than an
  /// insertion does.
  ///
  /// - Returns: The numbers of the intervals that changed, in ascending order, or nil if the feed
  ///   has no changes.
  mutating func update(from feed: ChangeFeed) throws -> [Int]? {
    // This snapshot is newer than the feed's changes, so it includes every series they mention.
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
