import BenchmarkKit
import Foundation
import HealthStore
import SampleLog

/// The same samples in our store and in SQLite, changed and asked alike.
final class Twins {
  let sqlite: SQLiteConnection
  private(set) var database: Database
  private(set) var store: HKHealthStore
  private(set) var rows: [SampleRow] = []
  /// The identifiers of all samples there ever were, by sequence number.
  private(set) var uuids: [UInt64: UUID] = [:]
  private let files = MemoryFileSystem()
  private let insert: SQLiteStatement
  private let logDeletion: SQLiteStatement
  private let remove: SQLiteStatement
  private static let subject = "somebody"

  init() throws {
    sqlite = try SQLiteConnection(path: ":memory:")
    try sqlite.execute(
      """
      CREATE TABLE samples(sequence INTEGER PRIMARY KEY, uuid BLOB NOT NULL, type INTEGER NOT NULL,
        start REAL NOT NULL, end REAL NOT NULL, value REAL NOT NULL, source INTEGER NOT NULL,
        device INTEGER, flag INTEGER);
      CREATE TABLE deletions(sequence INTEGER PRIMARY KEY, type INTEGER NOT NULL);
      """)
    insert = try sqlite.prepare(
      "INSERT INTO samples VALUES(?, ?, ?, ?, ?, ?, ?, nullif(?, -1), nullif(?, -1))")
    logDeletion = try sqlite.prepare("INSERT INTO deletions VALUES(?, ?)")
    remove = try sqlite.prepare("DELETE FROM samples WHERE sequence = ?")
    database = try Self.open(files)
    store = HKHealthStore(database: database, subject: Self.subject)
  }

  private static func open(_ files: MemoryFileSystem) throws -> Database {
    var options = Database.Options()
    options.sealsInBackground = false
    options.sealRowCount = 300
    options.segmentRowCount = 1000
    return try Database(path: "/twins", options: options, fileSystem: files)
  }

  /// The key of a type's samples.
  func key(_ type: Int) -> SeriesKey {
    SeriesKey(
      subject: database.symbols.intern(Self.subject),
      type: database.symbols.intern(SampleRow.types[type].identifier))
  }

  /// Saves so many random samples in one commit.
  func save(_ count: Int, _ random: inout Dice) async throws {
    var objects: [HKObject] = []
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
      rows.append(SampleRow(sequence: sequence, uuid: sample.uuid, type: type))
      insert.bind(Int64(sequence), at: 1)
      insert.bind(sample.uuid.words, at: 2)
      insert.bind(Int64(type), at: 3)
      insert.bind(start, at: 4)
      insert.bind(end, at: 5)
      insert.bind(value, at: 6)
      insert.bind(Int64(source), at: 7)
      insert.bind(Int64(device), at: 8)
      insert.bind(Int64(flag), at: 9)
      try insert.run()
    }
    try await store.save(objects)
  }

  /// Deletes at most so many random samples in one commit.
  func delete(_ count: Int, _ random: inout Dice) throws {
    var batch = Batch()
    var sequence = database.end
    for _ in 0..<min(count, rows.count) {
      let row = rows.remove(at: random.below(rows.count))
      sequence += 1
      batch.delete(Identifier(row.uuid))
      logDeletion.bind(Int64(sequence), at: 1)
      logDeletion.bind(Int64(row.type), at: 2)
      try logDeletion.run()
      remove.bind(Int64(row.sequence), at: 1)
      try remove.run()
    }
    if !batch.isEmpty { try database.commit(batch) }
  }

  func seal() throws { try database.seal() }
  func compact() throws { try database.compact() }

  func reopen() throws {
    try database.close()
    database = try Self.open(files)
    store = HKHealthStore(database: database, subject: Self.subject)
  }

  /// The first column of what SQLite finds.
  func numbers(_ sql: String) throws -> [UInt64] {
    let statement = try sqlite.prepare(sql)
    var numbers: [UInt64] = []
    while try statement.step() { numbers.append(UInt64(statement.integer(0))) }
    return numbers
  }
}

extension UUID {
  /// The identifier as the stream's, for SQLite.
  var words: StreamIdentifier {
    let id = Identifier(self)
    return StreamIdentifier(high: id.high, low: id.low)
  }
}
