extension DuckDBPeer: PopulationReading {
  func days(of type: StreamType, in range: Range<Int64>) throws -> [DailyAggregate] {
    try bind(type, range, to: statements.daysOfAll)
    return try days(statements.daysOfAll)
  }

  func rows(
    of type: StreamType, in range: Range<Int64>, above value: Double, into digest: inout Digest
  ) throws {
    try bind(type, range, to: statements.rowsOfAll)
    try statements.rowsOfAll.bind(value, at: 4)
    try readAll(statements.rowsOfAll, into: &digest)
  }

  func total(
    of type: StreamType, in range: Range<Int64>, above value: Double
  ) throws -> SampleTotal {
    try bind(type, range, to: statements.totalOfAll)
    try statements.totalOfAll.bind(value, at: 4)
    var total = SampleTotal(count: 0, sum: 0)
    try statements.totalOfAll.run { chunk in
      guard chunk.count > 0 else { return }
      total.count = Int(chunk.column(0, of: Int64.self)[0])
      total.sum = chunk.column(1, of: Double.self)[0]
    }
    return total
  }

  private func bind(
    _ type: StreamType, _ range: Range<Int64>, to statement: DuckDBStatement
  ) throws {
    try statement.bind(Int64(type.rawValue), at: 1)
    try statement.bind(range.lowerBound, at: 2)
    try statement.bind(range.upperBound, at: 3)
  }
}
