import SampleLog

extension HealthStorePeer {
  func rows(of series: StreamSeries, in range: Range<Int64>, into digest: inout Digest) throws {
    try rows(series, filter(range), into: &digest)
  }

  func rows(
    of series: StreamSeries, in range: Range<Int64>, above value: Double, into digest: inout Digest
  ) throws {
    try rows(series, filter(range, above: value), into: &digest)
  }

  func newest(of series: StreamSeries, into digest: inout Digest) throws {
    guard let row = try database.snapshot().newest(key(series)) else { return }
    var copy = BenchmarkRow()
    fill(&copy, row.block, row.row)
    digest.add(copy)
  }

  func row(_ identifier: StreamIdentifier, into digest: inout Digest) throws {
    let id = Identifier(high: identifier.high, low: identifier.low)
    guard let row = try database.snapshot().row(id) else { return }
    var copy = BenchmarkRow()
    fill(&copy, row.block, row.row)
    digest.add(copy)
  }

  func days(of series: StreamSeries, in range: Range<Int64>) throws -> [DailyAggregate] {
    let snapshot = database.snapshot()
    let key = key(series)
    guard
      let first = try snapshot.select([key], order: .start(ascending: true), limit: 1).first,
      let last = try snapshot.newest(key)
    else { return [] }
    let length = SampleStream.millisecondsPerDay
    let firstStart = Self.milliseconds(first.block.start[first.row])
    let lastStart = Self.milliseconds(last.block.start[last.row])
    let firstDay = max(range.lowerBound, firstStart) / length
    let lastDay = min(range.upperBound - 1, lastStart) / length
    guard firstDay <= lastDay else { return [] }
    let boundaries = (firstDay...lastDay + 1).map { Self.date($0 * length) }
    let aggregates = try snapshot.aggregate(
      key, boundaries: boundaries, unit: units.symbol(series.type.rawValue))
    return aggregates.enumerated().compactMap { index, day in
      day.count == 0
        ? nil
        : DailyAggregate(
          day: firstDay + Int64(index), count: day.count, sum: day.sum, minimum: day.minimum,
          maximum: day.maximum)
    }
  }

  func changes(
    after sequence: UInt64, of type: StreamType?, limit: Int, into digest: inout Digest
  ) throws -> UInt64 {
    let page = try database.snapshot().changes(
      after: Anchor(sequence: sequence), in: type.map { keys($0) }, limit: limit)
    var row = BenchmarkRow()
    page.changes.rows.forEachRow { block, index in
      if block.kind == .deletion {
        let id = block.id[index]
        digest.add(
          deletionOf: StreamIdentifier(high: id.high, low: id.low),
          sequence: block.sequence[index])
      } else {
        fill(&row, block, index)
        digest.add(row)
      }
    }
    return page.changes.last?.sequence ?? sequence
  }

  func filter(_ range: Range<Int64>) -> RowFilter {
    var filter = RowFilter()
    filter.start = Bounds.from(Self.date(range.lowerBound)).intersection(
      .below(Self.date(range.upperBound)))
    return filter
  }

  private func rows(_ series: StreamSeries, _ filter: RowFilter, into digest: inout Digest) throws {
    var row = BenchmarkRow()
    try database.snapshot().stream([key(series)], where: filter) { found in
      found.forEachRow { block, index in
        fill(&row, block, index)
        digest.add(row)
      }
      return true
    }
  }

  /// Copies a row's columns.
  @inline(__always)
  func fill(_ row: inout BenchmarkRow, _ block: Block, _ index: Int) {
    row.sequence = block.sequence[index]
    row.subject = code(ofSubject: block.subject(at: index))
    row.type = types.code(block.type)
    row.start = Self.milliseconds(block.start[index])
    row.end = Self.milliseconds(block.end[index])
    row.value = block.value[index]
    row.unit = units.code(block.unit[index])
    row.source = sources.code(block.source[index])
    row.device = devices.code(block.device[index])
    let id = block.id[index]
    row.identifier = StreamIdentifier(high: id.high, low: id.low)
    let metadata = block.metadata(at: index)
    if metadata.isEmpty { row.metadata.clear() } else { row.metadata.assign(metadata) }
  }
}
