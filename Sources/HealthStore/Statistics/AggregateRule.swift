internal import SampleLog

/// Decides whether a block's samples are counted without a sweep, mostly from its zone map.
///
/// The caller offers blocks in ascending order of their first start. The caller also checks that
/// all rows of the block are live, selected and in the requested unit.
struct AggregateRule {
  /// The way to aggregate the rows of a block.
  enum Decision {
    /// The rows must be read.
    case sweep
    /// All rows lie in the interval of the first row.
    case whole
    /// Every row lies in the interval of its own start, even if the block spans several intervals.
    case byStart
    /// Rows that end in the interval of their start lie in it; the others must be swept.
    case byRow
  }

  private let style: HKQuantityAggregationStyle
  private let isPossible: Bool
  private let asksForAverage: Bool

  init(_ style: HKQuantityAggregationStyle, _ options: HKStatisticsOptions) {
    self.style = style
    asksForAverage = options.contains(.discreteAverage)
    // Zone maps hold neither the most recent sample, the time covered, values by source nor a mean
    // of powers.
    let simple: HKStatisticsOptions = [
      .cumulativeSum, .discreteAverage, .discreteMin, .discreteMax,
    ]
    isPossible =
      simple.isSuperset(of: options)
      && !(style == .discreteEquivalentContinuousLevel && asksForAverage)
  }

  /// Returns how a block can be aggregated.
  ///
  /// - Parameters:
  ///   - block: The block.
  ///   - isApart: Whether the block's samples overlap no sample of another block.
  ///   - end: The end of the interval that holds the first row's start.
  /// - Returns: Whether the rows must be read and, if not, how to assign them to intervals.
  func decision(_ block: BlockSource, isApart: Bool, end: Double) -> Decision {
    guard isPossible, block.zone.sum.isFinite else { return .sweep }
    // Priority resolution works per sample, but all samples of one source add up.
    if style == .cumulative, block.zone.source == nil || !isApart { return .sweep }
    if block.areRowsInstant { return .byStart }
    // In a temporally weighted average, only instantaneous samples have equal weights.
    if style == .discreteTemporallyWeighted, asksForAverage { return .sweep }
    if block.zone.maxStart < end && block.zone.maxEnd <= end { return .whole }
    // Rows that have been read can be summed as well.
    return block.rowsRead != nil && isApart ? .byRow : .sweep
  }
}
