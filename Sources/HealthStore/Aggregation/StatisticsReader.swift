import Foundation
internal import SampleLog

/// Computes statistics of one subject's samples from the rows of a store.
///
/// Blocks whose zone maps suffice are not swept, and most of them are not read. The other blocks
/// are swept in parallel, in consecutive ranges of time. Memory is proportional to the intervals
/// with samples and to the blocks that overlap.
struct StatisticsReader: Sendable {
  let request: StatisticsRequest
  private let reader: RowReader
  let key: SeriesKey
  /// A lease that keeps the symbols of the series valid.
  private let names: SymbolLease
  /// The filter that rows must satisfy, or nil if no row can.
  private let filter: RowFilter?
  /// The filter for all rows that the reader may see.
  private var visible = RowFilter()

  init(_ request: StatisticsRequest, _ store: StoreReader) throws {
    self.request = request
    reader = store.store.reader
    let plan = try store.plan([(request.quantityType, request.condition)])
    names = store.names
    key = store.key(request.quantityType)
    filter = plan.types.isEmpty ? nil : plan.selection.filter(for: key)
    store.access?.limit(&visible, to: request.quantityType)
  }

  /// The maximum number of blocks of an answer on the caller's thread.
  ///
  /// With more, the attempt would usually exceed its budget, after work in vain.
  private static let inlineLimit = 16

  /// Consecutive intervals with samples, and the first start and last end of their samples.
  struct Piece: Sendable {
    var intervals: [StatisticsInterval]
    /// The sources, indexed by the numbers that the intervals use.
    var sources: [HKSource]
    var firstStart: Double
    var lastEnd: Double
  }

  /// Returns whether rows of the series may hold several values.
  func mayHaveSeries(in snapshot: Snapshot) -> Bool {
    SeriesStarts.points(of: key, snapshot.symbols) != nil
  }

  /// The series to subscribe to.
  var selection: SeriesSelection { SeriesSelection([key: filter ?? .nothing]) }

  /// Returns the unit to compute in: that of the earliest sample of the type, so that values keep
  /// the unit they were saved in.
  ///
  /// Returns the canonical unit if there are no samples or for equivalent continuous levels.
  func unit(in snapshot: Snapshot) throws -> HKUnit {
    let type = request.quantityType
    if type.aggregationStyle == .discreteEquivalentContinuousLevel { return type.canonicalUnit }
    let unit: HKUnit
    if let common = try snapshot.commonUnit(of: key) {
      unit = reader.unit(common)
    } else {
      guard
        let first = try snapshot.select(
          SeriesSelection([key], where: visible), order: .start(ascending: true), limit: 1,
          columns: .unit
        ).first
      else { return type.canonicalUnit }
      unit = reader.unit(first.block.unit[first.row])
    }
    return type.is(compatibleWith: unit) ? unit : type.canonicalUnit
  }

  /// Computes the statistics of intervals.
  ///
  /// - Parameters:
  ///   - intervals: The intervals of the statistics.
  ///   - range: The numbers of the intervals to compute, or nil for all.
  ///   - snapshot: The snapshot to read.
  ///   - unit: The unit to compute in.
  ///   - priority: The priority of sources.
  /// - Returns: Pieces in chronological order.
  /// - Throws: ``StoreError/damaged(file:offset:reason:)`` if rows cannot be read, and errors of
  ///   the condition.
  func pieces<Intervals: StatisticsIntervals>(
    in intervals: Intervals, _ range: ClosedRange<Int>? = nil, of snapshot: Snapshot,
    unit: HKUnit, priority: SourcePriority
  ) throws -> [Piece] {
    guard let filter else { return [] }
    let series = try SeriesStarts(key, where: filter, in: snapshot)
    // Points are looked up by the identifier of their parent row.
    let columns = series.isEmpty ? request.columns : request.columns.union([.id, .extras])
    if let range {
      let bounded = BoundedIntervals(intervals, range)
      var inside = filter
      inside.select(bounded)
      let blocks = try snapshot.blocks(key, where: inside, columns: columns)
      // Aggregated blocks may extend beyond the range; their other intervals are dropped.
      var parts = try split(blocks, in: intervals, snapshot, filter, unit, series)
      parts.aggregates = parts.aggregates.filter { range.contains($0.key) }
      return [
        try sweep(parts, in: bounded, snapshot, inside, unit, priority).limited(to: range)
      ]
    }
    let blocks = try snapshot.blocks(key, where: filter, columns: columns)
    if blocks.count > Self.inlineLimit { try InlineWork.refuse() }
    let parts = try split(blocks, in: intervals, snapshot, filter, unit, series)
    let ranges = Self.ranges(parts.swept, in: intervals)
    if ranges.count <= 1 {
      return [try sweep(parts, in: intervals, snapshot, filter, unit, priority)]
    }
    return try parallelMap(ranges.count) { [filter] number in
      let bounded = BoundedIntervals(intervals, ranges[number])
      var part = parts
      var filter = filter
      filter.select(bounded)
      part.swept = parts.swept.filter { $0.mayMatch(filter) }
      part.aggregates = parts.aggregates.filter { ranges[number].contains($0.key) }
      return try sweep(part, in: bounded, snapshot, filter, unit, priority)
        .limited(to: ranges[number])
    }
  }

  private func sweep(
    _ parts: Parts, in intervals: some StatisticsIntervals, _ snapshot: Snapshot,
    _ filter: RowFilter, _ unit: HKUnit, _ priority: SourcePriority
  ) throws -> Piece {
    var sweep = StatisticsSweep(
      request, in: intervals, reader, snapshot, unit: unit, priority: priority,
      starts: parts.series, aggregates: parts.aggregates)
    sweep.cover(from: parts.firstStart, to: parts.lastEnd)
    let (columns, series) = (request.columns, parts.series)
    if series.isEmpty {
      try snapshot.stream(parts.swept, where: filter, columns: columns) { rows in
        try rows.forEachRow { try sweep.add($0, $1) }
        return true
      }
    } else {
      try snapshot.stream(
        parts.swept, where: filter,
        columns: { series.mayBe(in: $0.zone) ? columns.union([.id, .extras]) : columns }
      ) { rows in
        try rows.forEachRow { try sweep.addAmongSeries($0, $1) }
        return true
      }
    }
    return Piece(
      intervals: try sweep.finish(), sources: sweep.sources, firstStart: sweep.firstStart,
      lastEnd: sweep.lastEnd)
  }

  /// The blocks to sweep, and the aggregates of the others.
  private struct Parts: Sendable {
    var swept: [BlockSource] = []
    var aggregates: [Int: Aggregate] = [:]
    /// The starts of rows that hold several values.
    ///
    /// Zone maps do not cover these values.
    var series: SeriesStarts
    /// The first start and the last end of the rows in `aggregates`.
    var firstStart = Double.infinity
    var lastEnd = -Double.infinity

    /// Appends the parts of the blocks that follow.
    mutating func add(_ next: Parts) {
      swept += next.swept
      for (index, aggregate) in next.aggregates {
        aggregates[index, default: Aggregate()].add(aggregate)
      }
      cover(from: next.firstStart, to: next.lastEnd)
    }

    /// Adds up the rows of a block that end in the interval of their start or in the next one.
    mutating func addRows(
      of source: BlockSource, isCumulative: Bool,
      _ cursor: inout IntervalCursor<some StatisticsIntervals>
    ) {
      guard let block = source.rowsRead else { return swept.append(source) }
      var aggregate = Aggregate()
      for row in 0..<block.count {
        let (start, end) = (block.start[row], block.end[row])
        if start >= cursor.end {
          if aggregate.count > 0 { aggregates[cursor.index, default: Aggregate()].add(aggregate) }
          aggregate = Aggregate()
          cursor.move(to: start)
        }
        if end <= cursor.end {
          aggregate.add(block.value[row])
          cover(from: start, to: end)
        } else if !add(block.value[row], from: start, to: end, isCumulative, cursor) {
          swept.append(source.reading(row..<row + 1))
        }
      }
      if aggregate.count > 0 { aggregates[cursor.index, default: Aggregate()].add(aggregate) }
    }

    /// Adds a row that ends in the interval after that of its start.
    ///
    /// Returns false if the row ends later or its end is not known.
    private mutating func add(
      _ value: Double, from start: Double, to end: Double, _ isCumulative: Bool,
      _ cursor: IntervalCursor<some StatisticsIntervals>
    ) -> Bool {
      var next = cursor
      next.moveToNext()
      guard end <= next.end, end != Date.distantFuture.timeIntervalSinceReferenceDate else {
        return false
      }
      // A cumulative value is divided in proportion to time; others count in both intervals.
      func part(_ seconds: Double) -> Double {
        isCumulative ? value * (seconds / (end - start)) : value
      }
      aggregates[cursor.index, default: Aggregate()].add(part(cursor.end - start))
      aggregates[next.index, default: Aggregate()].add(part(end - cursor.end))
      cover(from: start, to: end)
      return true
    }

    mutating func cover(from start: Double, to end: Double) {
      firstStart = min(firstStart, start)
      lastEnd = max(lastEnd, end)
    }
  }

  private func split(
    _ blocks: [BlockSource], in intervals: some StatisticsIntervals, _ snapshot: Snapshot,
    _ filter: RowFilter, _ unit: HKUnit, _ series: SeriesStarts
  ) throws -> Parts {
    var parts = Parts(series: series)
    // Eight pieces at most: blocks that need not be read cost almost nothing.
    let pieces = blocks.count < 64 ? 1 : 8
    var ranges: [(blocks: Range<Int>, lastEnd: Double)] = []
    var lastEnd = -Double.infinity
    for piece in 0..<pieces {
      let range = blocks.count * piece / pieces..<blocks.count * (piece + 1) / pieces
      ranges.append((range, lastEnd))
      for position in range { lastEnd = max(lastEnd, blocks[position].zone.maxEnd) }
    }
    let found = try parallelMap(pieces) { [parts, ranges] piece in
      var part = parts
      try split(
        blocks, ranges[piece].blocks, after: ranges[piece].lastEnd, in: intervals, snapshot, filter,
        unit, into: &part)
      return part
    }
    for part in found { parts.add(part) }
    return parts
  }

  /// Divides a range of blocks into blocks to sweep and aggregates.
  ///
  /// `time` is the latest end of a row in the blocks before the range.
  private func split(
    _ blocks: [BlockSource], _ range: Range<Int>, after time: Double,
    in intervals: some StatisticsIntervals, _ snapshot: Snapshot, _ filter: RowFilter,
    _ unit: HKUnit, into parts: inout Parts
  ) throws {
    let rule = AggregateRule(request.quantityType.aggregationStyle, request.options)
    var cursor = IntervalCursor(intervals)
    var lastEnd = time
    // Caches the last unit, because most series have only one.
    var (symbol, isWanted) = (Symbol?.none, false)
    for position in range {
      let block = blocks[position].withValues()
      let zone = block.zone
      let next = position + 1 < blocks.count ? blocks[position + 1].zone.minStart : .infinity
      let isApart = lastEnd < zone.minStart && zone.maxEnd < next
      lastEnd = max(lastEnd, zone.maxEnd)
      if zone.unit != symbol {
        symbol = zone.unit
        isWanted = symbol.map { reader.unit($0) == unit } ?? false
      }
      guard isWanted, !parts.series.mayBe(in: zone),
        let starts = snapshot.startsSelected(of: block, by: filter)
      else {
        parts.swept.append(blocks[position])
        continue
      }
      cursor.move(to: max(zone.minStart, starts.lower))
      switch rule.decision(block, isApart: isApart, end: cursor.end) {
      case .sweep:
        parts.swept.append(blocks[position])
        continue
      case .byStart where !starts.isAll || zone.maxStart >= cursor.end:
        let first = cursor.index
        let boundaries = cursor.boundaries(of: starts, through: zone.maxStart)
        let covered = try snapshot.aggregate(block, boundaries: boundaries) {
          parts.aggregates[first + $0, default: Aggregate()].add($1)
        }
        if let covered { parts.cover(from: covered.lowerBound, to: covered.upperBound) }
        continue
      case .byRow:
        parts.addRows(
          of: block, isCumulative: request.quantityType.aggregationStyle == .cumulative, &cursor)
        continue
      case .byStart, .whole: parts.aggregates[cursor.index, default: Aggregate()].add(zone)
      }
      parts.cover(from: zone.minStart, to: zone.maxEnd)
    }
  }

  /// Returns ranges of intervals with a similar number of blocks each, or none if there are few
  /// blocks.
  private static func ranges(
    _ blocks: [BlockSource], in intervals: some StatisticsIntervals
  ) -> [ClosedRange<Int>] {
    let pieces = min(8, blocks.count / 8)
    guard pieces > 1 else { return [] }
    var cuts: [Int] = []
    for piece in 1..<pieces {
      let index = intervals.index(at: blocks[blocks.count * piece / pieces].zone.minStart)
      // No interval before the first has samples.
      let isFirst = intervals.start(of: index) == -.infinity
      if !isFirst, index > cuts.last ?? .min { cuts.append(index) }
    }
    let reach = 1 << 60
    return zip([-reach] + cuts, cuts.map { $0 - 1 } + [reach]).map { $0...$1 }
  }
}

extension StatisticsReader.Piece {
  /// Returns only the intervals in a range.
  fileprivate func limited(to range: ClosedRange<Int>) -> Self {
    var piece = self
    piece.intervals.removeAll { !range.contains($0.index) }
    return piece
  }
}

extension RowFilter {
  /// Excludes rows that overlap none of the intervals.
  fileprivate mutating func select(_ intervals: BoundedIntervals<some StatisticsIntervals>) {
    start = start.intersection(.below(intervals.end))
    end = end.intersection(.from(intervals.start))
  }
}
