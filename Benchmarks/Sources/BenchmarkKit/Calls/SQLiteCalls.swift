import Foundation

/// The same queries in SQLite, with prepared statements: on the calling thread, with one connection
/// per task, or on one connection behind a serial queue.
final class SQLiteCalls: CallStore {
  private let path: String
  private let queued: SQLiteCallClient?

  /// Opens a store that ``fill(_:subjects:)`` has filled.
  init(_ directory: String, isQueued: Bool) throws {
    path = directory + "/samples.sqlite"
    queued = isQueued ? try SQLiteCallClient(path, isQueued: true) : nil
  }

  func client() throws -> any CallClient {
    if let queued { return queued }
    return try SQLiteCallClient(path, isQueued: false)
  }

  /// Saves the people's samples, synced once at the end.
  static func fill(_ directory: String, subjects: Int) throws {
    let connection = try SQLiteConnection(path: directory + "/samples.sqlite")
    try connection.execute(
      "PRAGMA journal_mode=WAL; PRAGMA synchronous=OFF; \(SQLiteSettings.durable.schema)")
    let insert = try SQLiteCallClient.insertion(connection)
    var random = SplitMix(seed: 38)
    for subject in 0..<subjects {
      try connection.execute("BEGIN")
      for number in 0..<CallSubjects.samples {
        for type in 0..<2 {
          try SQLiteCallClient.insert(insert, type, number, of: subject, &random)
        }
      }
      try connection.execute("COMMIT")
    }
    try connection.execute("PRAGMA synchronous=FULL; PRAGMA wal_checkpoint(TRUNCATE)")
  }
}

/// A connection with its statements.
///
/// With a queue it is used only on this queue, otherwise only by its task.
final class SQLiteCallClient: CallClient, @unchecked Sendable {
  private let connection: SQLiteConnection
  private let newest: SQLiteStatement
  private let day: SQLiteStatement
  private let sum: SQLiteStatement
  private let days: SQLiteStatement
  private let changes: SQLiteStatement
  private let news: SQLiteStatement
  private let insertion: SQLiteStatement
  private let last: Int64
  private let queue: DispatchQueue?
  // Two clients must not insert the same identifiers.
  private var random = SplitMix(seed: .random(in: 0 ... .max))
  private var next = CallSubjects.samples

  init(_ path: String, isQueued: Bool) throws {
    connection = try SQLiteConnection(path: path)
    try connection.execute(
      """
      PRAGMA synchronous=\(SQLiteSettings.durable.synchronous); PRAGMA cache_size=-65536;
      PRAGMA busy_timeout=10000;
      """)
    let columns = "sequence, start, end, value, unit, source, device, uuid, metadata"
    let ofSubject = "FROM samples WHERE subject = ?1 AND type = ?2"
    let inDay = "\(ofSubject) AND start >= ?3 AND start < ?4"
    newest = try connection.prepare("SELECT \(columns) \(ofSubject) ORDER BY start DESC LIMIT 1")
    day = try connection.prepare("SELECT \(columns) \(inDay) ORDER BY start")
    sum = try connection.prepare("SELECT sum(value) \(inDay)")
    days = try connection.prepare(
      "SELECT start / 86400000, sum(value) \(ofSubject) GROUP BY 1")
    // The index of the person is better from the beginning, and the order of the rows at the end.
    // The unary plus prevents the planner from using the index.
    changes = try connection.prepare(
      "SELECT \(columns) \(ofSubject) AND sequence > ?3 ORDER BY sequence LIMIT ?4")
    news = try connection.prepare(
      """
      SELECT \(columns) FROM samples WHERE sequence > ?3 AND +subject = ?1 AND +type = ?2 \
      ORDER BY sequence LIMIT ?4
      """)
    insertion = try Self.insertion(connection)
    let greatest = try connection.prepare("SELECT coalesce(max(sequence), 0) FROM samples")
    _ = try greatest.step()
    last = greatest.integer(0)
    queue = isQueued ? DispatchQueue(label: "sqlite") : nil
  }

  func make(_ call: Call, for subject: Int) async throws -> Double {
    guard let queue else { return try answer(call, subject) }
    return try await withCheckedThrowingContinuation { continuation in
      queue.async {
        continuation.resume(with: Result { try self.answer(call, subject) })
      }
    }
  }

  private func answer(_ call: Call, _ subject: Int) throws -> Double {
    let askedDay = Self.milliseconds(CallSubjects.askedDay)
    switch call {
    case .newest, .handle: return try rows(newest, subject, 0)
    case .day: return try rows(day, subject, 0, askedDay, askedDay + 86_400_000)
    case .sum: return try rows(sum, subject, 1, askedDay, askedDay + 86_400_000, value: 0)
    case .days: return try rows(days, subject, 1, value: 1)
    case .firstRead:
      return try rows(changes, subject, 0, 0, Int64(CallSubjects.samples), value: nil)
    case .poll: return try rows(news, subject, 0, last, Int64(CallSubjects.samples), value: nil)
    case .save:
      next += 1
      try Self.insert(insertion, 2, next, of: subject, &random)
      return 0
    }
  }

  /// Runs a statement; returns the sum of a column, or the number of rows for nil.
  private func rows(
    _ statement: SQLiteStatement, _ subject: Int, _ type: Int64, _ third: Int64? = nil,
    _ fourth: Int64? = nil, value column: Int32? = 3
  ) throws -> Double {
    defer { statement.reset() }
    statement.bind(Int64(subject), at: 1)
    statement.bind(type, at: 2)
    if let third { statement.bind(third, at: 3) }
    if let fourth { statement.bind(fourth, at: 4) }
    var total = 0.0
    while try statement.step() {
      guard let column else {
        total += Self.isWhole(statement) ? 1 : 0
        continue
      }
      // Every column of a sample is read.
      if column < 3 || Self.isWhole(statement) { total += statement.double(column) }
    }
    return total
  }

  private static func isWhole(_ statement: SQLiteStatement) -> Bool {
    statement.identifier(7) != nil && statement.integer(2) >= statement.integer(1)
      && statement.integer(4) + statement.integer(5) + statement.integer(6) >= 0
      && statement.text(8) == nil
  }

  static func insertion(_ connection: SQLiteConnection) throws -> SQLiteStatement {
    try connection.prepare(
      """
      INSERT INTO samples(subject, type, start, end, value, unit, source, device, uuid) \
      VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?)
      """)
  }

  static func insert(
    _ statement: SQLiteStatement, _ type: Int, _ number: Int, of subject: Int,
    _ random: inout SplitMix
  ) throws {
    let start = milliseconds(CallSubjects.start(number))
    statement.bind(Int64(subject), at: 1)
    statement.bind(Int64(type), at: 2)
    statement.bind(start, at: 3)
    statement.bind(type == 1 ? start + Int64(CallSubjects.interval * 1000) : start, at: 4)
    statement.bind(CallSubjects.value(number, of: subject), at: 5)
    statement.bind(Int64(type), at: 6)
    statement.bind(Int64(0), at: 7)
    statement.bind(Int64(0), at: 8)
    statement.bind(StreamIdentifier(high: random.next(), low: random.next()), at: 9)
    try statement.run()
  }

  private static func milliseconds(_ date: Double) -> Int64 { HealthStorePeer.milliseconds(date) }
}
