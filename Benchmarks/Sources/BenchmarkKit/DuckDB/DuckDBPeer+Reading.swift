import CDuckDB

extension DuckDBPeer {
  func rows(of series: StreamSeries, in range: Range<Int64>, into digest: inout Digest) throws {
    try bind(series, range, to: statements.rows)
    try readAll(statements.rows, into: &digest)
  }

  func rows(
    of series: StreamSeries, in range: Range<Int64>, above value: Double, into digest: inout Digest
  ) throws {
    try bind(series, range, to: statements.rowsAbove)
    try statements.rowsAbove.bind(value, at: 5)
    try readAll(statements.rowsAbove, into: &digest)
  }

  func newest(of series: StreamSeries, into digest: inout Digest) throws {
    try bind(series, to: statements.newest)
    try readAll(statements.newest, into: &digest)
  }

  func row(_ identifier: StreamIdentifier, into digest: inout Digest) throws {
    try statements.row.bind(identifier, at: 1)
    try readAll(statements.row, into: &digest)
  }

  func days(of series: StreamSeries, in range: Range<Int64>) throws -> [DailyAggregate] {
    try bind(series, range, to: statements.days)
    return try days(statements.days)
  }

  func days(_ statement: DuckDBStatement) throws -> [DailyAggregate] {
    var days: [DailyAggregate] = []
    try statement.run { chunk in
      let day = chunk.column(0, of: Int64.self)
      let count = chunk.column(1, of: Int64.self)
      let values = (2..<5).map { chunk.column($0, of: Double.self) }
      for row in 0..<chunk.count {
        days.append(
          DailyAggregate(
            day: day[row], count: Int(count[row]), sum: values[0][row], minimum: values[1][row],
            maximum: values[2][row]))
      }
    }
    return days
  }

  func averages(of series: StreamSeries, in range: Range<Int64>) throws -> [DailyAverage] {
    try bind(series, range, to: statements.averages)
    var days: [DailyAverage] = []
    try statements.averages.run { chunk in
      let day = chunk.column(0, of: Int64.self)
      let values = (1..<4).map { chunk.column($0, of: Double.self) }
      for row in 0..<chunk.count {
        days.append(
          DailyAverage(
            day: day[row], average: values[0][row], minimum: values[1][row],
            maximum: values[2][row]))
      }
    }
    return days
  }

  func mergedSums(of series: StreamSeries, every interval: Int64) throws -> [IntervalSum] {
    var sums: [IntervalSum] = []
    try connection.prepare(Self.mergeStatement(series, every: interval)).run { chunk in
      let start = chunk.column(0, of: Int64.self)
      let sum = chunk.column(1, of: Double.self)
      for row in 0..<chunk.count { sums.append(IntervalSum(start: start[row], sum: sum[row])) }
    }
    return sums
  }

  /// Rows and deletions by sequence number, in one statement.
  func changes(
    after sequence: UInt64, of type: StreamType?, limit: Int, into digest: inout Digest
  ) throws -> UInt64 {
    let statement = type == nil ? statements.changes : statements.changesOfType
    try statement.bind(Int64(sequence), at: 1)
    try statement.bind(Int64(limit), at: 2)
    if let type { try statement.bind(Int64(type.rawValue), at: 3) }
    var row = BenchmarkRow()
    var last = sequence
    try statement.run { chunk in
      let rows = DuckDBRows(chunk)
      let isGone = chunk.column(11, of: Bool.self)
      for index in 0..<chunk.count {
        rows.read(index, into: &row)
        last = row.sequence
        if isGone[index] {
          digest.add(deletionOf: row.identifier, sequence: last)
        } else {
          digest.add(row)
        }
      }
    }
    return last
  }

  private func bind(_ series: StreamSeries, to statement: DuckDBStatement) throws {
    try statement.bind(Int64(series.subject), at: 1)
    try statement.bind(Int64(series.type.rawValue), at: 2)
  }

  private func bind(
    _ series: StreamSeries, _ range: Range<Int64>, to statement: DuckDBStatement
  ) throws {
    try bind(series, to: statement)
    try statement.bind(range.lowerBound, at: 3)
    try statement.bind(range.upperBound, at: 4)
  }

  func readAll(_ statement: DuckDBStatement, into digest: inout Digest) throws {
    var row = BenchmarkRow()
    try statement.run { chunk in
      let rows = DuckDBRows(chunk)
      for index in 0..<chunk.count {
        rows.read(index, into: &row)
        digest.add(row)
      }
    }
  }
}
