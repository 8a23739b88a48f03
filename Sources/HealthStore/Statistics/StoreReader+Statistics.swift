import Foundation
internal import SampleLog

extension StoreReader {
  /// The statistics of all samples that match, each of them whole; nil where none does.
  ///
  /// They begin with the earliest sample and end with the one that ends last.
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

  /// The statistics of the intervals of a grid.
  func collection(
    _ request: StatisticsRequest, _ grid: StatisticsGrid
  ) throws -> HKStatisticsCollection {
    if store.isClosed { throw StoreError.closed }
    return try LiveCollection(request, grid, self).collection
  }

  /// Which source counts where samples of a type overlap.
  func sourcePriority(of sampleType: HKSampleType) throws -> SourcePriority {
    let order = try store.sourceOrder(of: key(sampleType.identifier))
    return SourcePriority(bundleIdentifiers: order)
  }
}
