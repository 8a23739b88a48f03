/// A single-threaded aggregation of the samples of blocks by group and interval.
final class BlockAggregator {
  let table: AggregateTable
  private let snapshot: Snapshot
  private let filter: RowFilter
  private let grouping: AggregateQuery.Grouping
  // For the current block: the selected runs in ascending order, and the rows that match the
  // filter.
  private var runs: [(subject: Symbol, rows: Range<Int>)] = []
  private var rows: [Int32] = []
  // The interval that contains all selected rows, or nil if they span several.
  private var interval: Int?
  // The interval of the first row.
  private var firstInterval = 0

  init(
    _ snapshot: Snapshot, _ search: IntervalSearch, _ filter: RowFilter,
    _ grouping: AggregateQuery.Grouping
  ) {
    table = AggregateTable(search)
    self.snapshot = snapshot
    self.filter = filter
    self.grouping = grouping
  }

  /// Adds the rows of some series of a segment's block, or of all if `series` is nil.
  func add(_ segment: Segment, _ index: Int, series: ArraySlice<Int>?) throws {
    let zone = segment.zone(index)
    guard zone.mayMatch(filter) else { return }
    var filter = filter
    filter.simplify(for: zone)
    findRuns(segment, index, zone.count, series)
    guard let first = runs.first else { return }
    findInterval(zone)
    let deleted =
      snapshot.deleted.mayIntersect(zone.minSequence, zone.maxSequence) ? snapshot.deleted : nil
    let isOfOne = series.map { $0.count == 1 } ?? segment.isOfOneSeries(block: index)
    let isWhole = runs.count == 1 && first.rows.count == zone.count
    if isWhole, deleted == nil, let key = key(of: zone, first.subject),
      try addWhole(segment, index, zone, filter, isSorted: isOfOne, key)
    {
      return
    }
    var columns = filter.columns.union(self.columns(zone)).subtracting(.target)
    if deleted != nil { columns.insert(.sequence) }
    if isOfOne, !isWhole {
      let rows = try snapshot.caches.blocks.rows(
        segment, index, first.rows, startingIn: filter.start)
      if rows.isEmpty { return }
      let block = try snapshot.caches.blocks.rows(segment, index, rows, columns)
      runs[0].rows = 0..<rows.count
      return try add(block, zone, filter, deleted, isSorted: true)
    }
    let block = try segment.block(index, columns, hasSubjects: filter.condition != nil)
    try add(block, zone, filter, deleted, isSorted: isOfOne)
  }

  /// Adds the rows of a memtable block.
  func add(_ source: BlockSource, _ block: Block) throws {
    runs.removeAll(keepingCapacity: true)
    runs.append((block.subject(at: 0), 0..<block.count))
    findInterval(source.zone)
    try add(
      block, source.zone, filter, source.relevant(snapshot.deleted), isSorted: source.zone.isSorted)
  }

  /// Adds a block whose rows belong to one group, from its zone map or with little decoding.
  ///
  /// Returns false if the rows must be decoded.
  private func addWhole(
    _ segment: Segment, _ index: Int, _ zone: ZoneMap, _ filter: RowFilter, isSorted: Bool,
    _ key: AggregateTable.Key
  ) throws -> Bool {
    if let interval {
      var all = Aggregate()
      if filter.isTrivial, zone.sum.isFinite {
        all.add(zone)
      } else if let bounds = filter.valueBounds, filter.columns == .value {
        all = try segment.aggregate(block: index, valuesWithin: bounds)
      } else {
        return false
      }
      if all.count > 0 { table.add(all, to: table.number(of: key), interval) }
      return true
    }
    guard isSorted, filter.isTrivial else { return false }
    let number = table.number(of: key)
    let boundaries = table.search.boundaries
    try segment.aggregate(block: index, boundaries: boundaries, from: firstInterval) {
      table.add($1, to: number, $0)
    }
    return true
  }

  /// Adds the rows of `runs` that satisfy a filter and are not deleted.
  private func add(
    _ block: Block, _ zone: ZoneMap, _ filter: RowFilter, _ deleted: DeletionVector?, isSorted: Bool
  ) throws {
    if filter.isTrivial, deleted == nil {
      for run in runs { add(block, zone, run.subject, run.rows) }
      return
    }
    try filter.select(block, isSorted: isSorted, deleted: deleted, into: &rows)
    var next = 0
    for run in runs {
      next = (next..<rows.count).partition { rows[$0] < run.rows.lowerBound }
      let end = (next..<rows.count).partition { rows[$0] < run.rows.upperBound }
      if end > next { add(block, zone, run.subject, rows[next..<end].lazy.map { Int($0) }) }
      next = end
    }
  }

  /// Adds rows of a subject.
  private func add<Rows: BidirectionalCollection<Int>>(
    _ block: Block, _ zone: ZoneMap, _ subject: Symbol, _ rows: Rows
  ) {
    if let key = key(of: zone, subject) {
      return table.add(block, rows, to: table.number(of: key), interval)
    }
    let tellsSource = grouping.contains(.source)
    // A column with a single value in the zone map has not been read.
    func unit(_ row: Int) -> Symbol { zone.unit ?? block.unit[row] }
    func source(_ row: Int) -> Symbol { tellsSource ? zone.source ?? block.source[row] : 0 }
    // Adjacent rows usually have the same unit and source.
    var first = rows.startIndex
    while first < rows.endIndex {
      let (unitOfFirst, sourceOfFirst) = (unit(rows[first]), source(rows[first]))
      var end = rows.index(after: first)
      while end < rows.endIndex, unit(rows[end]) == unitOfFirst,
        source(rows[end]) == sourceOfFirst
      {
        end = rows.index(after: end)
      }
      let number = table.number(of: key(subject, sourceOfFirst, unitOfFirst))
      table.add(block, rows[first..<end], to: number, interval)
      first = end
    }
  }

  /// Returns the group of a subject's rows in a block, or nil if it varies by row.
  private func key(of zone: ZoneMap, _ subject: Symbol) -> AggregateTable.Key? {
    guard let unit = zone.unit, !grouping.contains(.source) || zone.source != nil else {
      return nil
    }
    return key(subject, zone.source ?? 0, unit)
  }

  private func key(_ subject: Symbol, _ source: Symbol, _ unit: Symbol) -> AggregateTable.Key {
    AggregateTable.Key(
      subject: grouping.contains(.subject) ? subject : nil,
      source: grouping.contains(.source) ? source : nil, unit: unit)
  }

  /// Returns the columns of a segment's block that aggregation reads.
  private func columns(_ zone: ZoneMap) -> ColumnSet {
    var columns: ColumnSet = .value
    if zone.unit == nil { columns.insert(.unit) }
    if grouping.contains(.source), zone.source == nil { columns.insert(.source) }
    if interval == nil { columns.insert(.start) }
    return columns
  }

  private func findInterval(_ zone: ZoneMap) {
    let boundaries = table.search.boundaries
    // Consecutive blocks of a series are in date order.
    let start = max(zone.minStart, boundaries[0])
    firstInterval = table.search.interval(of: start, near: firstInterval)
    let isLast = firstInterval == table.search.count - 1
    interval = isLast || zone.maxStart < boundaries[firstInterval + 1] ? firstInterval : nil
  }

  /// Finds the rows of a block that belong to some series, or all rows if `series` is nil.
  private func findRuns(_ segment: Segment, _ index: Int, _ count: Int, _ series: ArraySlice<Int>?)
  {
    runs.removeAll(keepingCapacity: true)
    let tellsSubject = grouping.contains(.subject)
    if let series {
      let first = segment.firstRow(ofBlock: index)
      for number in series {
        let own = segment.series.rows(number).clamped(to: first..<first + count)
        let rows = own.lowerBound - first..<own.upperBound - first
        if !tellsSubject, let last = runs.last, last.rows.upperBound == rows.lowerBound {
          runs[runs.count - 1].rows = last.rows.lowerBound..<rows.upperBound
        } else {
          runs.append((segment.series.subject(number), rows))
        }
      }
    } else if tellsSubject {
      segment.forEachSeries(inBlock: index, rows: 0..<count) {
        runs.append((segment.series.subject($0), $1))
      }
    } else {
      runs.append((0, 0..<count))
    }
  }
}

extension Segment {
  /// Returns whether all rows of a block belong to one series.
  fileprivate func isOfOneSeries(block: Int) -> Bool {
    if group(ofBlock: block).series.count == 1 { return true }
    let last = directory.rows(block) - 1
    return seriesNumber(ofRow: 0, inBlock: block) == seriesNumber(ofRow: last, inBlock: block)
  }
}
