import Foundation
internal import SampleLog

/// Turns rows into spans and merges them; rows come in the order of their start.
struct StatisticsSweep<Intervals: StatisticsIntervals> {
  /// What the spans are merged into.
  private var merge: StatisticsMerge<Intervals>

  /// The sources of the rows, where they matter.
  private(set) var ranks: SourceRanks

  /// When the first row starts and when the one that ends last does.
  private(set) var firstStart = Double.infinity
  private(set) var lastEnd = -Double.infinity

  private let request: StatisticsRequest
  private let reader: RowReader
  private let snapshot: Snapshot
  private let unit: HKUnit
  private let distantFuture = Date.distantFuture.timeIntervalSinceReferenceDate

  // What the row before had, which need not be worked out again.
  private var unitSymbol: Symbol?
  private var conversion = UnitConversion.identity
  private var origins: OriginCache

  init(
    _ request: StatisticsRequest, in intervals: Intervals, _ reader: RowReader,
    _ snapshot: Snapshot, unit: HKUnit, priority: SourcePriority,
    aggregates: [Int: Aggregate] = [:]
  ) {
    self.request = request
    self.reader = reader
    self.snapshot = snapshot
    self.unit = unit
    ranks = SourceRanks(by: priority)
    origins = OriginCache(reader)
    merge = StatisticsMerge(
      intervals, style: request.quantityType.aggregationStyle, options: request.options,
      sourceOfRank: request.asksForSources ? [] : [0])
    merge.aggregates = aggregates
  }

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
      rank: request.asksForSources ? try rank(block, row) : 0, sequence: block.sequence[row],
      hasUnknownEnd: end == distantFuture)
    merge.add(span)
  }

  /// Counts a block whose rows are in ``StatisticsMerge/aggregates``.
  mutating func cover(_ zone: ZoneMap) {
    firstStart = min(firstStart, zone.minStart)
    lastEnd = max(lastEnd, zone.maxEnd)
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
    if let rank = try origins.rank(block, row, in: snapshot) { return rank }
    let origin = try origins.origin(block, row, in: snapshot)
    let (rank, isNew) = ranks.rank(of: origin)
    if isNew {
      merge.insertRank(rank, of: ranks.sourceOfRank[rank])
      origins.insertRank(rank)
    }
    origins.keep(rank, block, row)
    return rank
  }
}
