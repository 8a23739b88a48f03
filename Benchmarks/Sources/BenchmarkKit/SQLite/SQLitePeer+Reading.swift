extension SQLitePeer {
  func rows(of series: StreamSeries, in range: Range<Int64>, into digest: inout Digest) throws {
    let statement = statements.rows
    bind(series, to: statement)
    statement.bind(range.lowerBound, at: 3)
    statement.bind(range.upperBound, at: 4)
    try readAll(statement, into: &digest)
  }

  func rows(
    of series: StreamSeries, in range: Range<Int64>, above value: Double, into digest: inout Digest
  ) throws {
    let statement = statements.rowsAbove
    bind(series, to: statement)
    statement.bind(range.lowerBound, at: 3)
    statement.bind(range.upperBound, at: 4)
    statement.bind(value, at: 5)
    try readAll(statement, into: &digest)
  }

  func newest(of series: StreamSeries, into digest: inout Digest) throws {
    bind(series, to: statements.newest)
    try readAll(statements.newest, into: &digest)
  }

  func row(_ identifier: StreamIdentifier, into digest: inout Digest) throws {
    statements.row.bind(identifier, at: 1)
    try readAll(statements.row, into: &digest)
  }

  func days(of series: StreamSeries, in range: Range<Int64>) throws -> [DailyAggregate] {
    bind(series, to: statements.days)
    statements.days.bind(range.lowerBound, at: 3)
    statements.days.bind(range.upperBound, at: 4)
    return try days(statements.days)
  }

  func days(_ statement: SQLiteStatement) throws -> [DailyAggregate] {
    defer { statement.reset() }
    var days: [DailyAggregate] = []
    while try statement.step() {
      days.append(
        DailyAggregate(
          day: statement.integer(0),
          count: Int(statement.integer(1)),
          sum: statement.double(2),
          minimum: statement.double(3),
          maximum: statement.double(4)
        )
      )
    }
    return days
  }

  func mergedSums(of series: StreamSeries, every interval: Int64) throws -> [IntervalSum] {
    let statement = try connection.prepare(Self.mergeStatement(series, every: interval))
    var sums: [IntervalSum] = []
    while try statement.step() {
      sums.append(IntervalSum(start: statement.integer(0), sum: statement.double(1)))
    }
    return sums
  }

  private func bind(_ series: StreamSeries, to statement: SQLiteStatement) {
    statement.bind(Int64(series.subject), at: 1)
    statement.bind(Int64(series.type.rawValue), at: 2)
  }

  func readAll(_ statement: SQLiteStatement, into digest: inout Digest) throws {
    defer { statement.reset() }
    var row = BenchmarkRow()
    while try statement.step() {
      row.read(statement)
      digest.add(row)
    }
  }
}

extension BenchmarkRow {
  /// Copies the columns of a statement's current row.
  @inline(__always)
  mutating func read(_ statement: SQLiteStatement) {
    sequence = UInt64(bitPattern: statement.integer(0))
    type = statement.byte(1)
    start = statement.integer(2)
    end = statement.integer(3)
    value = statement.double(4)
    unit = statement.byte(5)
    source = statement.byte(6)
    device = statement.byte(7)
    identifier = statement.identifier(8) ?? StreamIdentifier()
    if let text = statement.text(9) {
      metadata.assign(text)
    } else {
      metadata.clear()
    }
    subject = UInt32(truncatingIfNeeded: statement.integer(10))
  }
}
