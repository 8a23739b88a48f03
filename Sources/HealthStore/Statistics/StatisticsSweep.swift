import Foundation
internal import SampleLog

/// Turns rows into spans and merges them; rows come in the order of their start.
struct StatisticsSweep<Intervals: StatisticsIntervals> {
  /// What the spans are merged into.
  private var merge: StatisticsMerge<Intervals>

  /// The sums in which a moment counts once; nil unless asked for.
  private var times: TimeSums<Intervals>?

  /// The ranks of the rows, where sources matter.
  private var origins: OriginRanks

  /// When the first row starts and when the one that ends last does.
  private(set) var firstStart = Double.infinity
  private(set) var lastEnd = -Double.infinity

  /// When rows start that stand for several values, and what is left of those that have begun.
  private var starts: SeriesStarts
  private var series = CursorHeap<SeriesSpans>()

  private let asksForSources: Bool
  private let reader: RowReader
  private let snapshot: Snapshot
  private let unit: HKUnit
  private let distantFuture = Date.distantFuture.timeIntervalSinceReferenceDate

  // What the row before had, which need not be worked out again.
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

  /// The sources of the rows, where they matter.
  var sources: [HKSource] { origins.ranks.sources }

  /// Adds a row that may stand for several values.
  ///
  /// Its block has identifiers and extras if ``SeriesStarts`` may have a row of it.
  ///
  /// - Throws: ``StoreError/damaged(file:offset:reason:)`` when the row or its points make no
  ///   sense.
  mutating func addAmongSeries(_ block: Block, _ row: Int) throws {
    let start = block.start[row]
    try addValues(until: start)
    if starts.contains(start), try snapshot.extras(of: RowReference(block, row)).payloadKind != 0 {
      try begin(block, row)
    } else {
      try add(block, row)
    }
  }

  /// Begins with the values that a row stands for.
  private mutating func begin(_ block: Block, _ row: Int) throws {
    let reference = RowReference(block, row)
    let kind = reader.type(block.type).map(SampleKind.init) ?? .other
    guard let values = try SeriesValues(try SeriesReader(reference, kind, snapshot)) else {
      throw snapshot.damaged(reference, "points that are missing")
    }
    if block.unit[row] != unitSymbol { try convert(block, row) }
    cover(from: block.start[row], to: block.end[row])
    let rank = asksForSources ? try rank(block, row) : 0
    series.insert(SeriesSpans(values, conversion, rank: rank, sequence: block.sequence[row]))
  }

  /// Adds the values of series that start by a time.
  private mutating func addValues(until time: Double) throws {
    while let first = series.first, first.start <= time {
      add(first.span)
      try series.advance()
    }
  }

  /// Adds a row that stands for one value.
  ///
  /// - Throws: ``StoreError/damaged(file:offset:reason:)`` when the row makes no sense.
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

  /// Counts rows that are in ``StatisticsMerge/aggregates``, by when the first starts and when the
  /// one that ends last does.
  mutating func cover(from start: Double, to end: Double) {
    firstStart = min(firstStart, start)
    lastEnd = max(lastEnd, end)
  }

  /// Returns the intervals that have samples, in the order of time.
  ///
  /// - Throws: ``StoreError/damaged(file:offset:reason:)`` when points make no sense.
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
      throw snapshot.damaged(RowReference(block, row), "a unit that is not of its type")
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
