private import Synchronization

extension Snapshot {
  /// Aggregates the live samples of a series by the interval that contains their start date.
  ///
  /// - Parameters:
  ///   - series: The series.
  ///   - boundaries: Dates in ascending order; interval *i* extends from boundary *i* up to, but
  ///     not including, boundary *i* + 1.
  ///   - unit: The unit that all values must have.
  /// - Returns: One aggregate per interval, one fewer than boundaries.
  /// - Throws: ``StoreError/invalid(_:)`` if a sample has another unit, or if the series or unit
  ///   belongs to another database.
  /// - Complexity: That of ``aggregate(_:)``.
  public func aggregate(
    _ series: Series, boundaries: [Double], unit: Name
  ) throws -> [Aggregate] {
    try aggregate(
      symbols.key(of: series), boundaries: boundaries, unit: symbols.symbol(of: unit))
  }

  package func aggregate(
    _ key: SeriesKey, boundaries: [Double], unit: Symbol
  ) throws -> [Aggregate] {
    guard boundaries.count > 1 else { return [] }
    var query = AggregateQuery(type: key.type)
    query.subjects = [key.subject]
    query.boundaries = boundaries
    var result = [Aggregate](repeating: Aggregate(), count: boundaries.count - 1)
    for group in try aggregate(query) {
      guard group.unit == unit else {
        throw StoreError.invalid("The samples to aggregate have more than one unit.")
      }
      result[group.interval] = group.aggregate
    }
    return result
  }

  /// Aggregates the live samples of a type, of all subjects or of some.
  ///
  /// Reads values from columns, on all processors. Sources are not merged: each sample counts, in
  /// the interval that contains its start date.
  ///
  /// - Parameter query: The subjects, filter, intervals and grouping.
  /// - Returns: The groups that have samples: sorted by subject, source and unit in the numerical
  ///   order of their names, then by interval.
  /// - Throws: Any error that the filter's condition throws, ``StoreError/invalid(_:)`` if a name
  ///   belongs to another database, and ``StoreError/damaged(file:offset:reason:)`` if a block
  ///   cannot be read.
  /// - Complexity: Linear in the number of blocks of the type. A block whose samples all match and
  ///   fall into one group and interval is aggregated from its directory entry; otherwise only the
  ///   required columns are read. Memory use is that of the result, per processor, and up to
  ///   sixteen times as much if intervals with samples are far apart.
  public func aggregate(_ query: AggregateQuery) throws -> [AggregateGroup] {
    try query.check(symbols)
    guard query.boundaries.count > 1, let first = query.boundaries.first,
      let last = query.boundaries.last
    else { return [] }
    var filter = query.filter
    filter.start = filter.start.intersection(.from(first)).intersection(.below(last))
    let (stored, unsealed) = (
      storedParts(of: query, filter), try unsealedParts(of: query, filter)
    )
    let search = IntervalSearch(query.boundaries)
    let next = Atomic(0)
    // A few blocks are processed faster than another thread can start.
    let threads = stored.count < 64 ? 1 : processorCount
    let tables = try parallelMap(threads) { [filter] thread in
      let aggregator = BlockAggregator(self, search, filter, query.grouping)
      if thread == 0 {
        for source in unsealed {
          guard case .memTable(let block) = source.location else { continue }
          try aggregator.add(source, block)
        }
      }
      while true {
        let begin = next.add(Self.takenBlocks, ordering: .relaxed).oldValue
        if begin >= stored.count { return aggregator.table }
        for part in stored[begin..<min(begin + Self.takenBlocks, stored.count)] {
          try aggregator.add(segments[part.segment], part.block, series: part.series)
        }
      }
    }
    for table in tables.dropFirst() { tables[0].add(table) }
    return tables[0].groups(symbols)
  }

  /// Returns bounds on the start dates of the samples that a query can match, or nil if there are
  /// none.
  ///
  /// - Complexity: Linear in the number of blocks, none of which is read.
  package func startDates(of query: AggregateQuery) throws -> ClosedRange<Double>? {
    var (first, last) = (Double.infinity, -Double.infinity)
    func include(_ zone: ZoneMap) {
      guard zone.mayMatch(query.filter) else { return }
      first = min(first, max(zone.minStart, query.filter.start.lower))
      last = max(last, min(zone.maxStart, query.filter.start.upper))
    }
    for part in storedParts(of: query, query.filter) {
      include(segments[part.segment].zone(part.block))
    }
    for source in try unsealedParts(of: query, query.filter) { include(source.zone) }
    return first <= last ? first...last : nil
  }

  /// Returns the subjects that have samples of a type, live or deleted, in no particular order.
  package func subjects(ofType type: Symbol) -> [Symbol] {
    var found: Set<Symbol> = []
    for segment in segments {
      for group in segment.series.groups where group.type == type && group.kind == .sample {
        for number in group.series { found.insert(segment.series.subject(number)) }
      }
    }
    for memTable in memTables {
      for series in memTable.series(.sample) where series.key.type == type {
        found.insert(series.key.subject)
      }
    }
    return Array(found)
  }

  /// The number of blocks that a thread claims at a time.
  private static let takenBlocks = 8

  /// A block of a segment, and the numbers of its series to include, or nil for all.
  private struct StoredPart: Sendable {
    var segment: Int
    var block: Int
    var series: ArraySlice<Int>?
  }

  private func storedParts(of query: AggregateQuery, _ filter: RowFilter) -> [StoredPart] {
    var parts: [StoredPart] = []
    for (number, segment) in segments.enumerated() {
      guard let subjects = query.subjects else {
        for group in segment.series.groups where group.type == query.type {
          if group.kind == .sample {
            for block in group.blocks { parts.append(StoredPart(segment: number, block: block)) }
          }
        }
        continue
      }
      let numbers = Set(subjects).compactMap {
        segment.series.find(BlockKey(SeriesKey(subject: $0, type: query.type), .sample))?.number
      }.sorted()
      for (position, series) in numbers.enumerated() {
        for block in segment.blocks(of: segment.series(series), start: filter.start) {
          // Adjacent series may share a block.
          if let last = parts.last, last.segment == number, last.block == block {
            let first = last.series?.startIndex ?? position
            parts[parts.count - 1].series = numbers[first...position]
          } else {
            parts.append(
              StoredPart(segment: number, block: block, series: numbers[position...position]))
          }
        }
      }
    }
    return parts
  }

  private func unsealedParts(
    of query: AggregateQuery, _ filter: RowFilter
  ) throws -> [BlockSource] {
    let keys: [SeriesKey]
    if let subjects = query.subjects {
      keys = Set(subjects).map { SeriesKey(subject: $0, type: query.type) }
    } else {
      let all = memTables.flatMap { $0.series(.sample).lazy.map(\.key) }
      keys = Array(Set(all.lazy.filter { $0.type == query.type }))
    }
    return try keys.flatMap { try memTableSources($0, filter, number: 0) }
  }
}
