import BenchmarkKit
import Foundation
import HealthStore
import SampleLog
import Testing

/// The same samples in our store, in SQLite and, if its library is installed, in DuckDB, with the
/// same changes and queries.
final class Twins {
  let sqlite: SQLiteConnection
  let duckdb: DuckDBConnection?
  private(set) var database: Database
  /// The subjects of the samples.
  let subjects: [String]
  private(set) var rows: [SampleRow] = []
  /// The identifiers of all samples ever saved, by sequence number.
  private(set) var uuids: [UInt64: UUID] = [:]
  private let files = MemoryFileSystem()
  private let insert: SQLiteStatement
  private let logDeletion: SQLiteStatement
  private let remove: SQLiteStatement

  /// Prepares empty stores.
  ///
  /// - Parameters:
  ///   - subjectCount: The number of subjects with samples.
  ///   - asksDuckDB: whether DuckDB is among them, if its library is here.
  /// - Throws: When a store cannot be opened.
  init(subjectCount: Int = 1, asksDuckDB: Bool) throws {
    subjects = (0..<subjectCount).map { "person \($0)" }
    sqlite = try SQLiteConnection(path: ":memory:")
    let isAsked = asksDuckDB && DuckDBLibrary.problem == nil
    duckdb = isAsked ? try DuckDBConnection(path: ":memory:") : nil
    let schema = """
      CREATE TABLE samples(sequence BIGINT PRIMARY KEY, uuid BLOB NOT NULL, person INTEGER NOT NULL,
        type INTEGER NOT NULL, start DOUBLE NOT NULL, "end" DOUBLE NOT NULL, value DOUBLE NOT NULL,
        source INTEGER NOT NULL, device INTEGER, flag INTEGER);
      CREATE TABLE deletions(
        sequence BIGINT PRIMARY KEY, person INTEGER NOT NULL, type INTEGER NOT NULL);
      """
    try sqlite.execute(schema)
    try duckdb?.execute("SET threads = 1; \(schema)")
    insert = try sqlite.prepare(
      "INSERT INTO samples VALUES(?, ?, ?, ?, ?, ?, ?, ?, nullif(?, -1), nullif(?, -1))")
    logDeletion = try sqlite.prepare("INSERT INTO deletions VALUES(?, ?, ?)")
    remove = try sqlite.prepare("DELETE FROM samples WHERE sequence = ?")
    database = try Self.open(files)
  }

  private static func open(_ files: MemoryFileSystem) throws -> Database {
    var options = Database.Options()
    options.sealsInBackground = false
    options.sealRowCount = 300
    options.segmentRowCount = 1000
    return try Database(path: "/twins", options: options, fileSystem: files)
  }

  /// A person's store.
  func store(_ subject: Int) -> HKHealthStore {
    HKHealthStore(database: database, subject: subjects[subject])
  }

  /// A person's samples of a type.
  func series(_ subject: Int, _ type: Int) -> Series {
    database.series(subject: subjects[subject], type: SampleRow.types[type].identifier)
  }

  /// Saves `count` random samples of one person in one commit.
  func save(_ count: Int, _ random: inout Dice) async throws {
    let subject = random.below(subjects.count)
    var objects: [HKObject] = []
    var values: [String] = []
    var sequence = database.end
    for _ in 0..<count {
      let type = random.below(SampleRow.types.count)
      let start = SampleRow.randomDate(&random)
      let end = start + Double(random.below(3)) * Double(random.below(20))
      let value = SampleRow.randomValue(&random)
      let source = random.below(SampleRow.revisions.count)
      let device = random.below(SampleRow.devices.count + 1) - 1
      let flag = random.below(2) * (1 + random.below(5)) - 1
      let sample = try HKQuantitySample.validated(
        type: SampleRow.types[type],
        quantity: HKQuantity(unit: SampleRow.units[type], doubleValue: value),
        start: Date(timeIntervalSinceReferenceDate: start),
        end: Date(timeIntervalSinceReferenceDate: end),
        device: device < 0 ? nil : SampleRow.devices[device],
        metadata: flag < 0 ? nil : [SampleRow.key: flag],
        sourceRevision: SampleRow.revisions[source])
      objects.append(sample)
      sequence += 1
      uuids[sequence] = sample.uuid
      rows.append(SampleRow(sequence: sequence, uuid: sample.uuid, subject: subject, type: type))
      insert.bind(Int64(sequence), at: 1)
      insert.bind(sample.uuid.words, at: 2)
      insert.bind(Int64(subject), at: 3)
      insert.bind(Int64(type), at: 4)
      insert.bind(start, at: 5)
      insert.bind(end, at: 6)
      insert.bind(value, at: 7)
      insert.bind(Int64(source), at: 8)
      insert.bind(Int64(device), at: 9)
      insert.bind(Int64(flag), at: 10)
      try insert.run()
      values.append(
        "(\(sequence), unhex('\(sample.uuid.digits)'), \(subject), \(type), \(start), "
          + "\(end), \(value), \(source), nullif(\(device), -1), nullif(\(flag), -1))")
    }
    try await store(subject).save(objects)
    try duckdb?.execute("INSERT INTO samples VALUES \(values.joined(separator: ", "))")
  }

  /// Deletes at most `count` random samples in one commit.
  func delete(_ count: Int, _ random: inout Dice) throws {
    var batch = database.makeBatch()
    var deletions: [String] = []
    var sequence = database.end
    for _ in 0..<min(count, rows.count) {
      let row = rows.remove(at: random.below(rows.count))
      sequence += 1
      batch.delete(Identifier(row.uuid))
      logDeletion.bind(Int64(sequence), at: 1)
      logDeletion.bind(Int64(row.subject), at: 2)
      logDeletion.bind(Int64(row.type), at: 3)
      try logDeletion.run()
      remove.bind(Int64(row.sequence), at: 1)
      try remove.run()
      deletions.append(
        """
        INSERT INTO deletions VALUES(\(sequence), \(row.subject), \(row.type));
        DELETE FROM samples WHERE sequence = \(row.sequence);
        """)
    }
    if !batch.isEmpty { try database.commit(batch) }
    if !deletions.isEmpty { try duckdb?.execute(deletions.joined()) }
  }

  func seal() throws { try database.seal() }
  func compact() throws { try database.compact() }

  func reopen() throws {
    try database.close()
    database = try Self.open(files)
  }

  /// The first column of SQLite's result, which DuckDB's must equal.
  func numbers(_ sql: String, limit: Int? = nil) throws -> [UInt64] {
    let sql = limit.map { "\(sql) LIMIT \($0)" } ?? sql
    let statement = try sqlite.prepare(sql)
    var numbers: [UInt64] = []
    while try statement.step() { numbers.append(UInt64(statement.integer(0))) }
    if let duckdb {
      var others: [UInt64] = []
      try duckdb.prepare(sql).run { chunk in
        others += chunk.column(0, of: UInt64.self)
      }
      #expect(others == numbers, "DuckDB and SQLite disagree: \(sql)")
    }
    return numbers
  }
}

extension UUID {
  /// The identifier as the stream's, for SQLite.
  var words: StreamIdentifier {
    let id = Identifier(self)
    return StreamIdentifier(high: id.high, low: id.low)
  }

  /// The identifier's hexadecimal digits.
  fileprivate var digits: String { uuidString.replacing("-", with: "") }
}
