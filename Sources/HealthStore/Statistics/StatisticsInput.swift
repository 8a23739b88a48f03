import Foundation

/// Samples in memory, made ready for statistics: in one unit, and with their sources in order.
struct StatisticsInput {
  /// The type of the samples.
  let quantityType: HKQuantityType

  /// The unit of all spans: the first sample's, so that its value comes back as it was saved, or
  /// the type's own where there is no sample or the average is one of levels.
  let unit: HKUnit

  /// The samples.
  let spans: [StatisticsSpan]

  /// The sources of the samples and their order.
  let ranks: SourceRanks

  /// Prepares samples of one type, in the order in which they were saved.
  ///
  /// Takes `n log n` time for `n` samples.
  ///
  /// - Throws: ``HKUnitError/incompatible(from:to:)`` when a sample's unit is not of the type.
  init(
    _ samples: [HKQuantitySample], of quantityType: HKQuantityType,
    by priority: SourcePriority = SourcePriority()
  ) throws(HKUnitError) {
    self.quantityType = quantityType
    let isLevel = quantityType.aggregationStyle == .discreteEquivalentContinuousLevel
    let first = isLevel ? nil : samples.first?.quantity.unit
    unit = first ?? quantityType.canonicalUnit
    let claims = samples.map { SourcePriority.claim(of: $0) }
    ranks = SourceRanks(claims, by: priority)
    var spans: [StatisticsSpan] = []
    spans.reserveCapacity(samples.count)
    for (number, sample) in samples.enumerated() {
      guard let rank = ranks.ranks[claims[number]] else {
        fatalError("A claim that was ranked must have a rank.")
      }
      spans.append(
        StatisticsSpan(
          start: sample.startDate.timeIntervalSinceReferenceDate,
          end: sample.endDate.timeIntervalSinceReferenceDate,
          value: try sample.quantity.value(in: unit), rank: rank, sequence: UInt64(number),
          hasUnknownEnd: sample.hasUndeterminedDuration))
    }
    self.spans = spans
  }

  /// The statistics of all samples together, each of them whole; nil where there is none.
  ///
  /// They begin with the earliest sample and end with the one that ends last.
  func statistics(_ options: HKStatisticsOptions) -> HKStatistics? {
    guard
      let interval = merged(in: WholeTime(), options).first,
      let start = spans.map(\.start).min(), let end = spans.map(\.end).max()
    else { return nil }
    let isSeparate = options.contains(.separateBySource)
    return HKStatistics(
      quantityType, from: Date(timeIntervalSinceReferenceDate: start),
      to: Date(timeIntervalSinceReferenceDate: end), unit: unit, interval: interval,
      sources: isSeparate ? ranks.sources : nil)
  }

  /// The statistics of the intervals of a grid.
  func collection(
    _ grid: StatisticsGrid, _ options: HKStatisticsOptions
  ) -> HKStatisticsCollection {
    HKStatisticsCollection(
      quantityType, unit: unit, grid: grid, intervals: merged(in: grid, options),
      sources: ranks.sources, isSeparate: options.contains(.separateBySource))
  }

  private func merged(
    in intervals: some StatisticsIntervals, _ options: HKStatisticsOptions
  ) -> [StatisticsInterval] {
    StatisticsMerge.of(
      spans, in: intervals, style: quantityType.aggregationStyle, options: options,
      sourceOfRank: ranks.sourceOfRank)
  }
}
