extension Snapshot {
  /// Aggregates the live samples of a series by the interval that their start date lies in.
  ///
  /// - Parameters:
  ///   - key: The subject and type.
  ///   - boundaries: Rising dates; interval *i* is from boundary *i* up to boundary *i* + 1.
  ///   - unit: The unit that values must have; a sample in another ends the work with an error.
  /// - Returns: One aggregate for each interval, one fewer than boundaries.
  /// - Throws: ``StoreError/invalid(_:)`` for a sample in another unit.
  /// - Complexity: Blocks within one interval are taken whole from their directory entry; only
  ///   those that a boundary cuts, or that have deleted rows, are read.
  public func aggregate(
    _ key: SeriesKey, boundaries: [Double], unit: Symbol
  ) throws -> [Aggregate] {
    try aggregate([key], boundaries: boundaries, unit: unit)
  }

  /// Aggregates the live samples of several series together, of many people for example.
  ///
  /// The same as ``aggregate(_:boundaries:unit:)`` of one series.
  public func aggregate(
    _ series: [SeriesKey], boundaries: [Double], unit: Symbol
  ) throws -> [Aggregate] {
    guard boundaries.count > 1, let first = boundaries.first, let last = boundaries.last else {
      return []
    }
    var filter = RowFilter()
    filter.start = Bounds.from(first).intersection(.below(last))
    let sources = blockSources(of: SeriesSelection(series, where: filter))
    // A few pieces each: blocks that need not be read cost next to nothing.
    let pieces = sources.count < 64 ? 1 : 8
    let parts = try parallelMap(pieces) { [filter] piece in
      let range = sources.count * piece / pieces..<sources.count * (piece + 1) / pieces
      return try aggregate(sources[range], filter, boundaries, unit)
    }
    var result = [Aggregate](repeating: Aggregate(), count: boundaries.count - 1)
    for part in parts {
      for index in result.indices { result[index].add(part[index]) }
    }
    return result
  }

  private func aggregate(
    _ sources: ArraySlice<BlockSource>, _ filter: RowFilter, _ boundaries: [Double],
    _ unit: Symbol
  ) throws -> [Aggregate] {
    var result = [Aggregate](repeating: Aggregate(), count: boundaries.count - 1)
    var rows: [Int32] = []
    for source in sources {
      let dead = source.relevant(self.dead)
      let zone = source.zone
      let interval = Self.interval(of: max(zone.minStart, boundaries[0]), boundaries)
      if dead == nil, zone.unit == unit, zone.sum.isFinite,
        zone.minStart >= boundaries[0], zone.maxStart < boundaries[interval + 1]
      {
        result[interval].add(zone)
        continue
      }
      if dead == nil, zone.unit == unit, source.part == nil, zone.isSorted,
        case .segment(let segment, let index) = source.location
      {
        try segment.aggregate(block: index, boundaries: boundaries, from: interval) {
          result[$0].add($1)
        }
        continue
      }
      let columns: ColumnSet = [.start, .value, .unit]
      let block = try source.load(
        columns.union(dead == nil ? [] : .sequence), caches.blocks)
      if dead == nil, zone.isSorted {
        try Self.addRuns(block, unit, boundaries, interval, &result)
      } else {
        try filter.select(block, isSorted: zone.isSorted, dead: dead, into: &rows)
        try Self.add(block, rows, unit, boundaries, interval, &result)
      }
    }
    return result
  }

  /// Adds rows in order of start, one interval after another.
  private static func addRuns(
    _ block: Block, _ unit: Symbol, _ boundaries: [Double], _ first: Int,
    _ result: inout [Aggregate]
  ) throws {
    var row = partition(block.start, block.count) { $0 < boundaries[first] }
    var interval = first
    while row < block.count, interval + 1 < boundaries.count {
      let end = partition(block.start, block.count) { $0 < boundaries[interval + 1] }
      var run = Aggregate()
      var isUniform = true
      for index in row..<max(row, end) {
        isUniform = isUniform && block.unit[index] == unit
        run.add(block.value[index])
      }
      guard isUniform else { throw mixedUnits }
      result[interval].add(run)
      row = max(row, end)
      interval += 1
    }
  }

  private static let mixedUnits = StoreError.invalid(
    "The samples to aggregate have more than one unit.")

  private static func add(
    _ block: Block, _ rows: [Int32], _ unit: Symbol, _ boundaries: [Double], _ first: Int,
    _ result: inout [Aggregate]
  ) throws {
    var interval = first
    for index in rows {
      let row = Int(index)
      let start = block.start[row]
      if start < boundaries[interval] || start >= boundaries[interval + 1] {
        // Of one person's neighbours the second is often in the next interval.
        let next = min(interval + 1, boundaries.count - 2)
        let isNext = start >= boundaries[next] && start < boundaries[next + 1]
        interval = isNext ? next : Self.interval(of: start, boundaries)
      }
      guard block.unit[row] == unit else {
        throw mixedUnits
      }
      result[interval].add(block.value[row])
    }
  }

  /// The interval that a date within the boundaries lies in.
  private static func interval(of date: Double, _ boundaries: [Double]) -> Int {
    (1..<boundaries.count - 1).partition { boundaries[$0] <= date } - 1
  }
}
