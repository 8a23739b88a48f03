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
    guard let row = try database.snapshot().newest(self.series(series)) else { return }
    var copy = BenchmarkRow()
    fill(&copy, row)
    digest.add(copy)
  }

  func row(_ identifier: StreamIdentifier, into digest: inout Digest) throws {
    let id = Identifier(high: identifier.high, low: identifier.low)
    guard let row = try database.snapshot().row(id) else { return }
    var copy = BenchmarkRow()
    fill(&copy, row)
    digest.add(copy)
  }

  func days(of series: StreamSeries, in range: Range<Int64>) throws -> [DailyAggregate] {
    let snapshot = database.snapshot()
    let key = self.series(series)
    guard
      let first = try snapshot.select([key], order: .start(ascending: true), limit: 1).first,
      let last = try snapshot.newest(key)
    else { return [] }
    let length = SampleStream.millisecondsPerDay
    let firstStart = Self.milliseconds(first.start)
    let lastStart = Self.milliseconds(last.start)
    let firstDay = max(range.lowerBound, firstStart) / length
    let lastDay = min(range.upperBound - 1, lastStart) / length
    guard firstDay <= lastDay else { return [] }
    let boundaries = (firstDay...lastDay + 1).map { Self.date($0 * length) }
    let aggregates = try snapshot.aggregate(
      key, boundaries: boundaries, unit: units.name(series.type.rawValue))
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
      after: database.anchor(at: sequence),
      of: type.map { SeriesSelection(series($0)) } ?? SeriesSelection(), limit: limit)
    var row = BenchmarkRow()
    page.changes.rows.forEachRow { found in
      if found.kind == .deletion {
        let id = found.id
        digest.add(
          deletionOf: StreamIdentifier(high: id.high, low: id.low), sequence: found.sequence)
      } else {
        fill(&row, found)
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
    try database.snapshot().stream([self.series(series)], where: filter) { found in
      found.forEachRow { found in
        fill(&row, found)
        digest.add(row)
      }
      return true
    }
  }

  /// Copies a row's columns.
  @inline(__always)
  func fill(_ copy: inout BenchmarkRow, _ row: Row) {
    let series = row.series
    copy.sequence = row.sequence
    copy.subject = code(ofSubject: series.subject)
    copy.type = types.code(series.type)
    copy.start = Self.milliseconds(row.start)
    copy.end = Self.milliseconds(row.end)
    copy.value = row.value
    copy.unit = units.code(row.unit)
    copy.source = sources.code(row.source)
    copy.device = devices.code(row.device)
    let id = row.id
    copy.identifier = StreamIdentifier(high: id.high, low: id.low)
    row.withMetadata { metadata in
      if metadata.isEmpty {
        copy.metadata.clear()
      } else {
        metadata.withUnsafeBytes { copy.metadata.assign($0) }
      }
    }
  }
}
