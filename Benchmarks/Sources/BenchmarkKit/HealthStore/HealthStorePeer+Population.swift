import SampleLog

extension HealthStorePeer: PopulationReading {
  func days(of type: StreamType, in range: Range<Int64>) throws -> [DailyAggregate] {
    let length = SampleStream.millisecondsPerDay
    let (first, end) = (range.lowerBound / length, lastDay(in: range) + 1)
    guard first < end else { return [] }
    var query = AggregateQuery(type: types.name(type.rawValue))
    query.boundaries = (first...end).map { Self.date($0 * length) }
    return try database.snapshot().aggregate(query).map { group in
      let day = group.aggregate
      return DailyAggregate(
        day: first + Int64(group.interval), count: day.count, sum: day.sum, minimum: day.minimum,
        maximum: day.maximum)
    }
  }

  func rows(
    of type: StreamType, in range: Range<Int64>, above value: Double, into digest: inout Digest
  ) throws {
    var row = BenchmarkRow()
    let found = try database.snapshot().select(series(type), where: filter(range, above: value))
    found.forEachRow { found in
      fill(&row, found)
      digest.add(row)
    }
  }

  func total(
    of type: StreamType, in range: Range<Int64>, above value: Double
  ) throws -> SampleTotal {
    var query = AggregateQuery(type: types.name(type.rawValue))
    query.filter = filter(range, above: value)
    let groups = try database.snapshot().aggregate(query)
    return SampleTotal(
      count: groups.reduce(0) { $0 + $1.aggregate.count },
      sum: groups.reduce(0) { $0 + $1.aggregate.sum })
  }

  func filter(_ range: Range<Int64>, above value: Double) -> RowFilter {
    var filter = filter(range)
    filter.require(value: .above(value))
    return filter
  }

  /// The last day of a range with samples of the stream.
  private func lastDay(in range: Range<Int64>) -> Int64 {
    let length = SampleStream.millisecondsPerDay
    // Every type has at least one sample a day.
    let days = Int64(database.end) / Int64(LoadOrder.samplesPerDay) + 40
    return min(range.upperBound / length - 1, SampleStream.epoch / length + days)
  }
}
