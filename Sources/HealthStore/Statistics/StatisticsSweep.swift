import Foundation
internal import SampleLog

/// Turns rows into spans and merges them; rows come in the order of their start.
struct StatisticsSweep<Intervals: StatisticsIntervals> {
  /// What the spans are merged into.
  private var merge: StatisticsMerge<Intervals>

  /// The ranks of the rows, where sources matter.
  private var origins: OriginRanks

  /// When the first row starts and when the one that ends last does.
  private(set) var firstStart = Double.infinity
  private(set) var lastEnd = -Double.infinity

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
    _ snapshot: Snapshot, unit: HKUnit, priority: SourcePriority,
    aggregates: [Int: Aggregate] = [:]
  ) {
    asksForSources = request.asksForSources
    self.reader = reader
    self.snapshot = snapshot
    self.unit = unit
    origins = OriginRanks(reader, by: priority)
    merge = StatisticsMerge(
      intervals, style: request.quantityType.aggregationStyle, options: request.options,
      sourceOfRank: asksForSources ? [] : [0])
    merge.aggregates = aggregates
  }

  /// The sources of the rows, where they matter.
  var sources: [HKSource] { origins.ranks.sources }

  /// Adds a row.
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
    merge.add(span)
  }

  /// Counts rows that are in ``StatisticsMerge/aggregates``, by when the first starts and when the
  /// one that ends last does.
  mutating func cover(from start: Double, to end: Double) {
    firstStart = min(firstStart, start)
    lastEnd = max(lastEnd, end)
  }

  /// Returns the intervals that have samples, in the order of time.
  mutating func finish() -> [StatisticsInterval] { merge.finish() }

  private mutating func convert(_ block: Block, _ row: Int) throws {
    let symbol = block.unit[row]
    guard reader.hasUnit(symbol), let found = reader.unit(symbol).conversion(to: unit) else {
      throw snapshot.damaged(RowReference(block, row), "a unit that is not of its type")
    }
    (unitSymbol, conversion) = (symbol, found)
  }

  private mutating func rank(_ block: Block, _ row: Int) throws -> Int {
    let (rank, isNew) = try origins.rank(block, row, in: snapshot)
    if isNew { merge.insertRank(rank, of: origins.ranks.sourceOfRank[rank]) }
    return rank
  }
}
