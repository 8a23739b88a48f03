import FoundationEssentials
import SampleLog
import SampleLogSimulation
import Testing

/// The estimate of reclaimable space, compared with the effect of compaction.
@Suite struct EstimateTests {
  private let fileSystem = MemoryFileSystem()
  private static let types = ["bodyMass", "heartRate", "stepCount"]
  private static let rows = 60_000

  /// A store of one segment with samples of three types in rotation, one of them with metadata.
  private func makeStore(_ change: (inout Database.Options) -> Void = { _ in }) throws -> Database {
    let database = try Database.inMemory(fileSystem, change)
    var random = Seeded(7)
    var batch = Batch()
    var extras = Extras()
    for row in 0..<Self.rows {
      let type = Self.types[row % Self.types.count]
      let key = database.key(type)
      extras.metadata = type == "bodyMass" ? withUnsafeBytes(of: random.next(), Array.init) : []
      let id = Identifier(high: random.next(), low: random.next())
      batch.add(
        subject: key.subject, type: key.type, id: id, start: Double(row * 5),
        end: Double(row * 5), value: Double(Int.random(in: 50..<150, using: &random)),
        unit: database.symbols.intern("unit"), source: database.symbols.intern("watch"),
        extras: batch.intern(extras: extras.encoded))
    }
    try database.commit(batch)
    try database.compact()
    return database
  }

  /// Deletes samples in a log, and seals it into a segment.
  private func delete(
    _ types: [String]? = nil, from database: Database, where isGone: (UInt64) -> Bool
  ) throws {
    var batch = Batch()
    try database.snapshot().scan(types.map { $0.map { database.key($0) } }) { block, places in
      for place in places where isGone(block.sequence[Int(place)]) {
        batch.delete(block.id[Int(place)])
      }
      return true
    }
    try database.commit(batch)
    try database.seal()
  }

  /// Compacts, and returns the estimate and the reclaimed size of the existing segments.
  private func compare(_ database: Database) throws -> (estimate: Int, real: Int, bytes: Int) {
    let before = try database.statistics()
    #expect(before.segments.reduce(0) { $0 + $1.deletedRowCount } == before.deletedRowCount)
    #expect(
      before.segments.reduce(0) { $0 + $1.byteCount } + before.logByteCount == before.byteCount)
    let result = try database.compact()
    let after = try database.statistics()
    #expect(after.reclaimableByteCount == 0, "no space is reclaimable twice")
    #expect(after.deletedRowCount == 0)
    return (
      before.reclaimableByteCount, result.bytesBefore - result.bytesAfter, result.bytesBefore
    )
  }

  @Test func `The estimate of a store without deletions is zero`() throws {
    let figures = try compare(makeStore())
    #expect(figures.estimate == 0)
    #expect(figures.real == 0)
  }

  @Test func `The estimate is right for a tenth of the rows, deleted at random`() throws {
    let database = try makeStore()
    var random = Seeded(1)
    try delete(from: database) { _ in Int.random(in: 0..<10, using: &random) == 0 }
    let (estimate, real, bytes) = try compare(database)
    #expect(abs(estimate - real) * 5 < real)
    #expect(abs(estimate - real) * 50 < bytes)
  }

  @Test(arguments: types)
  func `The estimate is right for a whole type among other rows`(type: String) throws {
    let database = try makeStore()
    try delete([type], from: database) { _ in true }
    let figures = try compare(database)
    #expect(abs(figures.estimate - figures.real) * 100 < figures.real)
  }

  @Test func `The estimate is right for an interval of time`() throws {
    let database = try makeStore()
    try delete(from: database) { $0 <= 25_000 }
    let figures = try compare(database)
    #expect(abs(figures.estimate - figures.real) * 100 < figures.real)
  }

  @Test func `The estimate is right if everything is deleted`() throws {
    let database = try makeStore()
    try delete(from: database) { _ in true }
    let figures = try compare(database)
    #expect(abs(figures.estimate - figures.real) * 100 < figures.real)
  }

  @Test func `Deletions past their retention count, and those that a reader needs do not`()
    throws
  {
    let now = Locked(0.0)
    let database = try makeStore { options in
      options.clock = { now.withLock { $0 } }
      options.deletionRetention = .seconds(100)
    }
    try delete(from: database) { $0 <= 10_000 }
    try database.compact()
    let young = try database.statistics()
    #expect(young.reclaimableByteCount == 0)
    now.withLock { $0 = 101 }
    #expect(try database.statistics().segments.map(\.forgettableRowCount) == [10_000])
    try database.acknowledge("phone", through: UInt64(Self.rows) + 4000)
    #expect(try database.statistics().segments.map(\.forgettableRowCount) == [4000])
    try database.removeAcknowledgement("phone")
    let figures = try compare(database)
    #expect(figures.estimate > 0)
    #expect(abs(figures.estimate - figures.real) * 100 < figures.real)
    #expect(try database.statistics().deletionCount == 0)
  }

  @Test func `An unreadable block does not fail the statistics`() throws {
    let database = try makeStore()
    let whole = try database.statistics()
    try delete(["heartRate"], from: database) { _ in true }
    let estimated = try database.statistics().reclaimableByteCount
    try database.close()
    let name = "store/" + whole.segments[0].name
    let file = try fileSystem.open(name, .update)
    // The middle of the file is within the second of three types.
    var bytes = try #require(try file.bytes(whole.segments[0].byteCount, at: 0))
    for place in bytes.count * 4 / 10..<bytes.count * 6 / 10 { bytes[place] ^= 0x55 }
    try bytes.withUnsafeBytes { try file.write($0, at: 0) }
    let damaged = try Database.inMemory(fileSystem).statistics()
    #expect(damaged.deletedRowCount == Self.rows / 3)
    #expect(damaged.reclaimableByteCount < estimated)
  }
}

/// Counting the members of a range.
@Suite struct DeletionVectorCountTests {
  @Test(arguments: 0..<20)
  func `The count of a range equals that of a filter`(seed: Int) {
    var random = Seeded(UInt64(seed))
    let reach: UInt64 = [100, 70_000, 400_000][seed % 3]
    let numbers = (0..<[5, 40, 3000][seed / 3 % 3]).map { _ in
      UInt64.random(in: 1...reach, using: &random)
    }
    var set = DeletionVector()
    set.insert(numbers)
    // Distant numbers use another representation.
    set.insert([1 << 40, 1 << 40 + 63, 1 << 40 + 64])
    for _ in 0..<200 {
      let first = UInt64.random(in: 0...reach, using: &random)
      let last = UInt64.random(in: first...reach, using: &random)
      #expect(set.count(first, last) == Set(numbers).count { first <= $0 && $0 <= last })
    }
    for number in numbers { #expect(set.count(number, number) == 1) }
    #expect(set.count(0, .max) == Set(numbers).count + 3)
    #expect(set.count(1 << 40 + 1, 1 << 40 + 63) == 1)
    #expect(set.count(2, 1) == 0)
  }
}
