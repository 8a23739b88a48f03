extension SQLitePeer: PopulationReading {
  func days(of type: StreamType, in range: Range<Int64>) throws -> [DailyAggregate] {
    bind(type, range, to: statements.daysOfAll)
    return try days(statements.daysOfAll)
  }

  func rows(
    of type: StreamType, in range: Range<Int64>, above value: Double, into digest: inout Digest
  ) throws {
    bind(type, range, to: statements.rowsOfAll)
    statements.rowsOfAll.bind(value, at: 4)
    try readAll(statements.rowsOfAll, into: &digest)
  }

  func total(
    of type: StreamType, in range: Range<Int64>, above value: Double
  ) throws -> SampleTotal {
    let statement = statements.totalOfAll
    bind(type, range, to: statement)
    statement.bind(value, at: 4)
    defer { statement.reset() }
    guard try statement.step() else { return SampleTotal(count: 0, sum: 0) }
    return SampleTotal(count: Int(statement.integer(0)), sum: statement.double(1))
  }

  private func bind(_ type: StreamType, _ range: Range<Int64>, to statement: SQLiteStatement) {
    statement.bind(Int64(type.rawValue), at: 1)
    statement.bind(range.lowerBound, at: 2)
    statement.bind(range.upperBound, at: 3)
  }
}
