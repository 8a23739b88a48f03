import Foundation
internal import SampleLog

// The evaluation of statistics queries.
extension StoreReader {
  /// Returns the statistics of all matching samples, each counted completely, or nil if no sample
  /// matches.
  ///
  /// The dates are the earliest start and the latest end of a sample.
  func statistics(_ request: StatisticsRequest) throws -> HKStatistics? {
    if store.isClosed { throw StoreError.closed }
    let reader = try StatisticsReader(request, self)
    let snapshot = store.database.snapshot()
    let unit = try reader.unit(in: snapshot)
    let pieces = try reader.pieces(
      in: WholeTime(), of: snapshot, unit: unit, priority: sourcePriority(of: request.quantityType))
    guard let piece = pieces.first, let interval = piece.intervals.first else { return nil }
    return HKStatistics(
      request.quantityType, from: Date(timeIntervalSinceReferenceDate: piece.firstStart),
      to: Date(timeIntervalSinceReferenceDate: piece.lastEnd), unit: unit, interval: interval,
      sources: request.options.contains(.separateBySource) ? piece.sources : nil)
  }

  /// Returns the statistics of the intervals of a grid.
  func collection(
    _ request: StatisticsRequest, _ grid: StatisticsGrid
  ) throws -> HKStatisticsCollection {
    if store.isClosed { throw StoreError.closed }
    return try LiveCollection(request, grid, self).collection
  }

  func sourcePriority(of sampleType: HKSampleType) throws -> SourcePriority {
    let order = try store.sourceOrder(of: key(sampleType.identifier))
    return SourcePriority(bundleIdentifiers: order)
  }
}
