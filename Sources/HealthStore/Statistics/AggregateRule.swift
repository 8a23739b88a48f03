internal import SampleLog

/// The cases in which a block's samples are counted without a sweep, mostly by its zone map.
///
/// Blocks are offered in the order of their first start. Whether a block's rows are all live and
/// selected, and in the unit that is wanted, is for the caller to see.
struct AggregateRule {
  /// How the rows of a block may be cut.
  enum Verdict {
    /// The rows must be read.
    case sweep
    /// All rows lie in the interval of the first.
    case whole
    /// Every row lies in the interval of its start, whatever the interval.
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
    // The most recent sample, the time covered and values by source are in no zone map, and nor is
    // a mean of powers.
    let simple: HKStatisticsOptions = [
      .cumulativeSum, .discreteAverage, .discreteMin, .discreteMax,
    ]
    isPossible =
      simple.isSuperset(of: options)
      && !(style == .discreteEquivalentContinuousLevel && asksForAverage)
  }

  /// What to do with a block.
  ///
  /// - Parameters:
  ///   - block: The block.
  ///   - isApart: Whether no sample of another block lies where the block's samples do.
  ///   - end: Where the interval of the first row's start ends.
  /// - Returns: Whether the block must be swept, and if not, how its rows may be cut.
  func verdict(_ block: BlockSource, isApart: Bool, end: Double) -> Verdict {
    guard isPossible, block.zone.sum.isFinite else { return .sweep }
    // Sources are merged sample by sample, and all samples of one add up.
    if style == .cumulative, block.zone.source == nil || !isApart { return .sweep }
    if block.areRowsInstant { return .byStart }
    // Where time is a weight, only samples that take none count all the same.
    if style == .discreteTemporallyWeighted, asksForAverage { return .sweep }
    if block.zone.maxStart < end && block.zone.maxEnd <= end { return .whole }
    // What is read already can be added up as well.
    return block.rowsRead != nil && isApart ? .byRow : .sweep
  }
}
