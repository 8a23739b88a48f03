import Foundation
internal import SampleLog

// The evaluation of category duration queries.
extension StoreReader {
  /// Returns the durations of category samples by value, for the intervals of a grid.
  func categoryDurations(
    _ categoryType: HKCategoryType, _ condition: SampleCondition, _ grid: StatisticsGrid
  ) throws -> [HKCategoryDurations] {
    try check()
    let plan = try plan([(categoryType, condition)])
    let snapshot = store.database.snapshot()
    var merge = CategoryDurationMerge(grid)
    for (key, _) in plan.types {
      try add(snapshot, key, plan.selection.filter(for: key), categoryType, to: &merge)
    }
    return merge.finish().map { index, durations in
      HKCategoryDurations(
        categoryType: categoryType, startDate: grid.startDate(of: index),
        endDate: grid.startDate(of: index + 1), durations: durations)
    }
  }

  private func add(
    _ snapshot: Snapshot, _ key: SeriesKey, _ filter: RowFilter, _ categoryType: HKCategoryType,
    to merge: inout CategoryDurationMerge<StatisticsGrid>
  ) throws {
    var origins = OriginRanks(store.reader, by: try sourcePriority(of: categoryType))
    let distantFuture = Date.distantFuture.timeIntervalSinceReferenceDate
    let columns: ColumnSet = [.end, .value, .source, .device, .extras]
    let blocks = try snapshot.blocks(key, where: filter, columns: columns)
    try snapshot.stream(blocks, where: filter, columns: columns) { rows in
      try rows.forEachRow { block, row in
        let (rank, isNew) = try origins.rank(block, row, in: snapshot)
        if isNew { merge.insertRank(rank, of: origins.ranks.sourceOfRank[rank]) }
        let (end, stored) = (block.end[row], block.value[row])
        let value = Double(BuiltSample.categoryValue(stored: stored))
        merge.add(
          StatisticsSpan(
            start: block.start[row], end: end, value: value, rank: rank,
            sequence: block.sequence[row], hasUnknownEnd: end == distantFuture))
      }
      return true
    }
  }
}
