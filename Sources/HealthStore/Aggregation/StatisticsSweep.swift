import Foundation
internal import SampleLog

/// Converts rows to spans and merges them.
///
/// Rows are added in ascending order of start.
struct StatisticsSweep<Intervals: StatisticsIntervals> {
  /// The merge that receives the spans.
  private var merge: StatisticsMerge<Intervals>

  /// The sums that count overlapping time once, or nil if they were not requested.
  private var times: TimeSums<Intervals>?

  /// The ranks of the rows, if the request depends on sources.
  private var origins: OriginRanks

  /// The first start and the last end of the rows.
  private(set) var firstStart = Double.infinity
  private(set) var lastEnd = -Double.infinity

  /// The starts of rows that hold several values, and the remaining values of those that have
  /// begun.
  private var starts: SeriesStarts
  private var series = CursorHeap<SeriesSpans>()

  private let asksForSources: Bool
  private let reader: RowReader
  private let snapshot: Snapshot
  private let unit: HKUnit
  private let distantFuture = Date.distantFuture.timeIntervalSinceReferenceDate

  // The unit of the preceding row and its conversion, cached.
  private var unitSymbol: Symbol?
  private var conversion = UnitConversion.identity

  init(
    _ request: StatisticsRequest, in intervals: Intervals, _ reader: RowReader,
    _ snapshot: Snapshot, unit: HKUnit, priority: SourcePriority, starts: SeriesStarts,
    aggregates: [Int: Aggregate] = [:]
  ) {
    self.starts = starts
    asksForSources = request.asksForSources
    self.reader = reader
    self.snapshot = snapshot
    self.unit = unit
    origins = OriginRanks(reader, by: priority)
    merge = StatisticsMerge(
      intervals, style: request.quantityType.aggregationStyle, options: request.options,
      sourceOfRank: asksForSources ? [] : [0])
    merge.aggregates = aggregates
    if request.options.contains(.timeCountsOnce), let seconds = unit.conversion(to: .second()) {
      times = TimeSums(intervals, secondsInUnit: seconds(1))
    }
  }

  /// The sources of the rows, if the request depends on them.
  var sources: [HKSource] { origins.ranks.sources }

  /// Adds a row that may hold several values.
  ///
  /// If ``SeriesStarts`` may contain one of the block's rows, the block must have identifiers and
  /// extras loaded.
  ///
  /// - Throws: ``StoreError/damaged(file:offset:reason:)`` if the row or its points are corrupt.
  mutating func addAmongSeries(_ block: Block, _ row: Int) throws {
    let start = block.start[row]
    try addValues(until: start)
    if starts.contains(start), try snapshot.extras(of: Row(block, row)).payloadKind != 0 {
      try begin(block, row)
    } else {
      try add(block, row)
    }
  }

  /// Begins the values of a row's quantity series.
  private mutating func begin(_ block: Block, _ row: Int) throws {
    let reference = Row(block, row)
    let points = try SeriesReader(reference, QuantitySeriesPayload.self, snapshot)
    guard let values = try SeriesValues(points) else {
      throw snapshot.damaged(reference, "points that are missing")
    }
    if block.unit[row] != unitSymbol { try convert(block, row) }
    cover(from: block.start[row], to: block.end[row])
    let rank = asksForSources ? try rank(block, row) : 0
    series.insert(SeriesSpans(values, conversion, rank: rank, sequence: block.sequence[row]))
  }

  /// Adds the values of active series that start by a time.
  private mutating func addValues(until time: Double) throws {
    while let first = series.first, first.start <= time {
      add(first.span)
      try series.advance()
    }
  }

  /// Adds a row that holds a single value.
  ///
  /// - Throws: ``StoreError/damaged(file:offset:reason:)`` if the row is corrupt.
  mutating func add(_ block: Block, _ row: Int) throws {
    if block.unit[row] != unitSymbol { try convert(block, row) }
    let (start, end) = (block.start[row], block.end[row])
    firstStart = min(firstStart, start)
    lastEnd = max(lastEnd, end)
    let value = block.value[row]
    let span = StatisticsSpan(
      start: start, end: end, value: conversion.isIdentity ? value : conversion(value),
      rank: asksForSources ? try rank(block, row) : 0, sequence: block.sequence[row],
      hasUnknownEnd: end == distantFuture)
    add(span)
  }

  @inline(__always)
  private mutating func add(_ span: StatisticsSpan) {
    merge.add(span)
    times?.add(span, of: origins.ranks.sourceOfRank[span.rank])
  }

  /// Extends the covered range by rows in ``StatisticsMerge/aggregates``, given their first start
  /// and last end.
  mutating func cover(from start: Double, to end: Double) {
    firstStart = min(firstStart, start)
    lastEnd = max(lastEnd, end)
  }

  /// Returns the intervals that have samples, in chronological order.
  ///
  /// - Throws: ``StoreError/damaged(file:offset:reason:)`` if points are corrupt.
  mutating func finish() throws -> [StatisticsInterval] {
    try addValues(until: .infinity)
    let intervals = merge.finish()
    guard let sums = times?.finish() else { return intervals }
    return intervals.map { interval in
      var interval = interval
      interval.merged.sum = interval.merged.sum.map { _ in sums[interval.index]?.merged ?? 0 }
      for (source, values) in interval.bySource {
        interval.bySource[source]?.sum = values.sum.map { _ in
          sums[interval.index]?.bySource[source] ?? 0
        }
      }
      return interval
    }
  }

  private mutating func convert(_ block: Block, _ row: Int) throws {
    let symbol = block.unit[row]
    guard reader.hasUnit(symbol), let found = reader.unit(symbol).conversion(to: unit) else {
      throw snapshot.damaged(Row(block, row), "a unit that is not of its type")
    }
    (unitSymbol, conversion) = (symbol, found)
  }

  private mutating func rank(_ block: Block, _ row: Int) throws -> Int {
    let (rank, isNew) = try origins.rank(block, row, in: snapshot)
    if isNew {
      merge.insertRank(rank, of: origins.ranks.sourceOfRank[rank])
      series.update { $0.insertRank(rank) }
    }
    return rank
  }
}
