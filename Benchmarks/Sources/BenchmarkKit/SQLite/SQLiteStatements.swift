/// The statements of the peer, compiled once.
struct SQLiteStatements {
  let begin: SQLiteStatement
  let beginWrite: SQLiteStatement
  let commit: SQLiteStatement
  let rollback: SQLiteStatement
  let insert: SQLiteStatement
  let recordDeletion: SQLiteStatement
  let delete: SQLiteStatement
  let rows: SQLiteStatement
  let rowsAbove: SQLiteStatement
  let newest: SQLiteStatement
  let row: SQLiteStatement
  let added: SQLiteStatement
  let addedOfType: SQLiteStatement
  let deleted: SQLiteStatement
  let deletedOfType: SQLiteStatement
  let days: SQLiteStatement
  let rowsOfAll: SQLiteStatement
  let totalOfAll: SQLiteStatement
  let daysOfAll: SQLiteStatement

  init(_ connection: SQLiteConnection) throws {
    let columns = "sequence, type, start, end, value, unit, source, device, uuid, metadata, subject"
    let select = "SELECT \(columns) FROM samples"
    let selectDeletions = "SELECT sequence, uuid FROM deletions"
    let inRange = "subject = ? AND type = ? AND start >= ? AND start < ?"
    begin = try connection.prepare("BEGIN")
    beginWrite = try connection.prepare("BEGIN IMMEDIATE")
    commit = try connection.prepare("COMMIT")
    rollback = try connection.prepare("ROLLBACK")
    insert = try connection.prepare(
      "INSERT INTO samples(\(columns)) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
    )
    recordDeletion = try connection.prepare(
      "INSERT INTO deletions SELECT ?2, type, uuid FROM samples WHERE uuid = ?1"
    )
    delete = try connection.prepare("DELETE FROM samples WHERE uuid = ?")
    rows = try connection.prepare("\(select) WHERE \(inRange) ORDER BY start")
    rowsAbove = try connection.prepare("\(select) WHERE \(inRange) AND value > ? ORDER BY start")
    newest = try connection.prepare(
      "\(select) WHERE subject = ? AND type = ? ORDER BY start DESC LIMIT 1")
    row = try connection.prepare("\(select) WHERE uuid = ?")
    added = try connection.prepare("\(select) WHERE sequence > ? ORDER BY sequence")
    deleted = try connection.prepare("\(selectDeletions) WHERE sequence > ? ORDER BY sequence")
    // The unary plus keeps the planner on the order of the sequence, so that it can stop early.
    addedOfType = try connection.prepare(
      "\(select) WHERE sequence > ? AND +type = ? ORDER BY sequence"
    )
    deletedOfType = try connection.prepare(
      "\(selectDeletions) WHERE sequence > ? AND +type = ? ORDER BY sequence"
    )
    days = try connection.prepare(
      """
      SELECT start / 86400000, count(*), sum(value), min(value), max(value)
      FROM samples WHERE \(inRange) GROUP BY 1
      """
    )
    let ofAll = "type = ? AND start >= ? AND start < ?"
    rowsOfAll = try connection.prepare("\(select) WHERE \(ofAll) AND value > ?")
    totalOfAll = try connection.prepare(
      "SELECT count(*), coalesce(sum(value), 0.0) FROM samples WHERE \(ofAll) AND value > ?")
    daysOfAll = try connection.prepare(
      """
      SELECT start / 86400000, count(*), sum(value), min(value), max(value)
      FROM samples WHERE \(ofAll) GROUP BY 1 ORDER BY 1
      """)
  }
}
