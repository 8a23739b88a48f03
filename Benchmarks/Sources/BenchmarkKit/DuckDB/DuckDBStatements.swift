/// The statements of a reader, compiled once.
struct DuckDBStatements {
  let rows: DuckDBStatement
  let rowsAbove: DuckDBStatement
  let newest: DuckDBStatement
  let row: DuckDBStatement
  let days: DuckDBStatement
  let averages: DuckDBStatement
  let rowsOfAll: DuckDBStatement
  let totalOfAll: DuckDBStatement
  let daysOfAll: DuckDBStatement
  let changes: DuckDBStatement
  let changesOfType: DuckDBStatement

  static let columns = """
    sequence, subject, type, start, "end", value, unit, source, device, uuid, metadata
    """

  init(_ connection: DuckDBConnection) throws {
    let select = "SELECT \(Self.columns) FROM samples"
    let ofSeries = "subject = $1 AND type = $2"
    let inRange = "\(ofSeries) AND start >= $3 AND start < $4"
    rows = try connection.prepare("\(select) WHERE \(inRange) ORDER BY start")
    rowsAbove = try connection.prepare(
      "\(select) WHERE \(inRange) AND value > $5 ORDER BY start")
    newest = try connection.prepare("\(select) WHERE \(ofSeries) ORDER BY start DESC LIMIT 1")
    row = try connection.prepare("\(select) WHERE uuid = $1")
    days = try connection.prepare(
      """
      SELECT start // 86400000, count(*), sum(value), min(value), max(value)
      FROM samples WHERE \(inRange) GROUP BY 1 ORDER BY 1
      """)
    averages = try connection.prepare(
      """
      SELECT start // 86400000, avg(value), min(value), max(value)
      FROM samples WHERE \(inRange) GROUP BY 1 ORDER BY 1
      """)
    let ofAll = "type = $1 AND start >= $2 AND start < $3"
    rowsOfAll = try connection.prepare("\(select) WHERE \(ofAll) AND value > $4")
    totalOfAll = try connection.prepare(
      """
      SELECT count(*), coalesce(sum(value), 0.0) FROM samples WHERE \(ofAll) AND value > $4
      """)
    daysOfAll = try connection.prepare(
      """
      SELECT start // 86400000, count(*), sum(value), min(value), max(value)
      FROM samples WHERE \(ofAll) GROUP BY 1 ORDER BY 1
      """)
    changes = try connection.prepare(Self.changes(""))
    changesOfType = try connection.prepare(Self.changes("AND type = $3"))
  }

  /// Limits each table before merging them, so that neither is read to its end.
  private static func changes(_ condition: String) -> String {
    let wanted = "WHERE sequence > $1 \(condition) ORDER BY sequence LIMIT $2"
    return """
      (SELECT \(columns), false AS gone FROM samples \(wanted))
      UNION ALL
      (SELECT sequence, 0::USMALLINT, type, 0, 0, 0, 0::UTINYINT, 0::UTINYINT, 0::UTINYINT, uuid,
        NULL, true FROM deletions \(wanted))
      ORDER BY sequence LIMIT $2
      """
  }
}
