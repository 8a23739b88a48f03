import Dispatch
import FoundationEssentials
import SampleLog
import Testing

/// The samples that expire and that remain, and the view of readers.
@Suite struct ExpiryTests {
  private let fileSystem = MemoryFileSystem()

  private func open(
    mode: OpenMode = .readWrite, _ change: (inout Database.Options) -> Void = { _ in }
  ) throws -> Database {
    try Database.inMemory(fileSystem, mode: mode, change)
  }

  @Test(arguments: [false, true])
  func `A sample that ends at the cut-off remains, and one that ends just before it expires`(
    isSealed: Bool
  ) throws {
    let database = try open()
    try database.save(start: 50, end: 100.0.nextDown, value: 1)
    try database.save(start: 50, end: 100, value: 2)
    try database.save(start: 100, value: 3)
    // It began long before the cut-off, but its end decides.
    try database.save(start: -1000, end: 101, value: 4)
    if isSealed { try database.seal() }
    let rule = ExpiryRule(type: "heartRate", endingBefore: 100)
    #expect(try database.snapshot().expired(by: [rule]).map(\.sampleCount) == [1])
    let result = try database.expire([rule])
    #expect(result.sampleCount == 1)
    #expect(result.commitCount == 1)
    #expect(try database.values() == [4, 2, 3])
  }

  @Test func `Expired samples appear in the feed as deletions`() throws {
    let database = try open()
    let ids = try (0..<5).map { try database.save(start: Double($0), value: Double($0)) }
    try database.save(start: 10, value: 10)
    let anchor = database.anchor
    try database.expire([ExpiryRule(endingBefore: 5)])
    for store in [database, try reopened(database)] {
      let page = try store.snapshot().changes(after: anchor)
      #expect(page.changes.map(\.kind) == [RowKind](repeating: .deletion, count: 5))
      #expect(page.changes.map(\.row.id) == ids)
      // A deletion includes the columns of the deleted row.
      #expect(page.changes.map(\.row.value) == [0, 1, 2, 3, 4])
      #expect(try store.values() == [10])
    }
  }

  private func reopened(_ database: Database) throws -> Database {
    try database.close()
    return try open()
  }

  @Test func `Only the subjects and types that a rule names expire`() throws {
    let database = try open()
    for subject in ["ada", "bob"] {
      for type in ["heartRate", "stepCount"] { try database.save(type, subject: subject) }
    }
    let rule = ExpiryRule(subject: "bob", type: "stepCount", endingBefore: 1)
    let series = try database.expire([rule]).series
    #expect(series.map(\.subject) == ["bob"])
    #expect(series.map(\.type) == ["stepCount"])
    #expect(series.map(\.sampleCount) == [1])
    let left = try database.statistics()
    #expect(left.sampleCount == 3)
    #expect(try database.snapshot().select([database.key("stepCount", subject: "bob")]).isEmpty)
    #expect(try database.expire([ExpiryRule(subject: "eve", endingBefore: 1)]).sampleCount == 0)
    #expect(try database.expire([]).sampleCount == 0)
    #expect(database.end == 5, "an empty expiry commits nothing")
  }

  @Test func `The first rule that applies to a sample decides`() throws {
    let database = try open()
    for type in ["bodyMass", "heartRate", "stepCount"] {
      for day in 0..<10 { try database.save(type, start: Double(day)) }
    }
    let result = try database.expire([
      ExpiryRule(type: "bodyMass", endingBefore: -.infinity),
      ExpiryRule(type: "heartRate", endingBefore: 8), ExpiryRule(endingBefore: 3),
    ])
    #expect(result.series.map(\.type) == ["heartRate", "stepCount"])
    #expect(result.series.map(\.sampleCount) == [8, 3])
  }

  @Test(arguments: [Double.infinity, .nan])
  func `A cut-off that is not finite is refused`(cutoff: Double) throws {
    let database = try open()
    try database.save()
    let rules = [ExpiryRule(type: "other", endingBefore: 0), ExpiryRule(endingBefore: cutoff)]
    #expect(throws: StoreError.self) { try database.expire(rules) }
    #expect(throws: StoreError.self) { try database.snapshot().expired(by: rules) }
    #expect(try database.values() == [60])
  }

  @Test func `A read-only or closed store expires nothing`() throws {
    let database = try open()
    try database.save()
    let rules = [ExpiryRule(endingBefore: 1)]
    let reader = try open(mode: .readOnly)
    #expect(throws: StoreError.readOnly) { try reader.expire(rules) }
    #expect(try reader.snapshot().expired(by: rules).map(\.sampleCount) == [1])
    try database.close()
    #expect(throws: StoreError.closed) { try database.expire(rules) }
  }

  @Test(arguments: [false, true])
  func `Samples expire in commits of at most the given number`(isSealed: Bool) throws {
    let database = try open { $0.expiryBatchCount = 100 }
    var batch = Batch()
    for row in 0..<1050 { batch.add(row, to: database) }
    try database.commit(batch)
    if isSealed { try database.seal() }
    let anchor = database.anchor
    var reports: [Int] = []
    let result = try database.expire([ExpiryRule(endingBefore: 1000)]) { reports.append($0) }
    #expect(result.commitCount == 10)
    #expect(result.sampleCount == 1000)
    #expect(reports == Array(stride(from: 100, through: 1000, by: 100)))
    #expect(try database.snapshot().changes(after: anchor).changes.count == 1000)
    #expect(try database.values().count == 50)
    #expect(try database.expire([ExpiryRule(endingBefore: 1000)]).commitCount == 0)
  }

  @Test func `A commit of large samples is limited by their bytes`()
    throws
  {
    let database = try open()
    for row in 0..<5 {
      var extras = Extras()
      extras.metadata = [UInt8](repeating: UInt8(row + 1), count: 12 << 20)
      try database.save(start: Double(row), extras: extras)
    }
    let result = try database.expire([ExpiryRule(endingBefore: 10)])
    #expect(result.sampleCount == 5)
    #expect(result.commitCount == 2, "three of 12 MiB make more than 32")
  }

  @Test func `A commit that would be too large is retried with fewer samples`() throws {
    let database = try open { options in
      options.batchByteLimit = 20_000
      options.expiryBatchCount = 1000
    }
    for first in stride(from: 0, to: 1000, by: 100) {
      var batch = Batch()
      for row in first..<first + 100 { batch.add(row, to: database) }
      try database.commit(batch)
    }
    let result = try database.expire([ExpiryRule(endingBefore: 1000)])
    #expect(result.sampleCount == 1000)
    #expect(result.commitCount > 1)
  }

  @Test func `A limit below the size of a single deletion is an error`() throws {
    let database = try open { $0.batchByteLimit = 200 }
    var batch = Batch()
    batch.add(0, to: database)
    try database.commit(batch)
    try database.close()
    let again = try open { $0.batchByteLimit = 8 }
    #expect {
      try again.expire([ExpiryRule(endingBefore: 1000)])
    } throws: { error in
      if case StoreError.limitExceeded(.batchBytes, _, allowed: 8) = error { true } else { false }
    }
  }

  @Test func `Cancelling leaves complete commits, and another call does the rest`() throws {
    let database = try open { $0.expiryBatchCount = 100 }
    var batch = Batch()
    for row in 0..<1000 { batch.add(row, to: database) }
    try database.commit(batch)
    let anchor = database.anchor
    let rules = [ExpiryRule(endingBefore: 1000)]
    var commits = 0
    #expect(throws: StoreError.cancelled) {
      try database.expire(rules) { _ in
        commits += 1
      } isCancelled: {
        commits == 3
      }
    }
    let again = try reopened(database)
    #expect(try again.snapshot().changes(after: anchor).changes.count == 300)
    #expect(try again.values() == (300..<1000).map(Double.init))
    #expect(try again.expire(rules).sampleCount == 700)
    #expect(try again.snapshot().changes(after: anchor).changes.count == 1000)
  }

  @Test func `A sample with the sync identifier of an expired one is saved`() throws {
    let database = try open()
    var extras = Extras()
    extras.syncIdentifier = Array("a".utf8)
    extras.syncVersion = 5
    try database.save(start: 0, value: 1, extras: extras)
    try database.expire([ExpiryRule(endingBefore: 1)])
    // Equal and lower versions are accepted: no live sample has a version.
    extras.syncVersion = 4
    try database.save(start: 2, value: 2, extras: extras)
    #expect(try database.values() == [2])
    extras.syncVersion = 5
    try database.save(start: 3, value: 3, extras: extras)
    #expect(try database.values() == [3])
  }

  @Test func `Samples saved or deleted during an expiry are not affected by it`() throws {
    let database = try open { $0.expiryBatchCount = 10 }
    var batch = Batch()
    for row in 0..<100 { batch.add(row, to: database) }
    try database.commit(batch)
    var saved = 0
    let result = try database.expire([ExpiryRule(endingBefore: 200)]) { count in
      // Old samples are saved, files replaced and later samples deleted between the commits.
      _ = try? database.save(start: Double(count), value: 1000)
      saved += 1
      if count == 30 { try? database.seal() }
      if count == 50 { _ = try? database.compact() }
      let last = try? database.snapshot().select([database.key("heartRate")])
        .first { $0.value == 99 }
      if let last { try? database.delete(last.id) }
    }
    #expect(result.sampleCount == 99)
    #expect(try database.values() == [Double](repeating: 1000, count: saved))
    let next = try database.expire([ExpiryRule(endingBefore: 200)])
    #expect(next.sampleCount == saved)
  }

  @Test func `Concurrent expiries and saves delete every sample once`() throws {
    let database = try open { $0.expiryBatchCount = 50 }
    var batch = Batch()
    for row in 0..<2000 { batch.add(row, to: database) }
    try database.commit(batch)
    let counts = Locked<[Int]>([])
    DispatchQueue.concurrentPerform(iterations: 4) { number in
      do {
        if number == 3 {
          for row in 0..<50 { try database.save(start: 5000 + Double(row)) }
        } else {
          let result = try database.expire([ExpiryRule(endingBefore: 2000)])
          counts.withLock { $0.append(result.sampleCount) }
        }
      } catch {
        Issue.record(error)
      }
    }
    #expect(counts.withLock { $0.reduce(0, +) } == 2000)
    let deletions = try database.snapshot().changes(after: Anchor(sequence: 2000)).changes.filter {
      $0.kind == .deletion
    }
    #expect(Set(deletions.map(\.row.id)).count == 2000)
    #expect(deletions.count == 2000)
    #expect(try database.values().count == 50)
  }

  @Test func `Expiry takes space, and compaction then reclaims more`() throws {
    let database = try open()
    var batch = Batch()
    for row in 0..<20_000 { batch.add(row, to: database) }
    try database.commit(batch)
    try database.compact()
    let full = try database.statistics().byteCount
    try database.expire([ExpiryRule(endingBefore: 15_000)])
    let expired = try database.statistics()
    #expect(expired.byteCount > full)
    try database.compact()
    let compacted = try database.statistics()
    // Deletions keep the columns of their rows, in about as many bytes.
    #expect(compacted.byteCount < expired.byteCount - expired.reclaimableByteCount / 2)
    #expect(compacted.deletedRowCount == 0)
    try database.close()
    let later = try open { $0.clock = { 1_000_000 + 31 * 86_400 } }
    #expect(try later.compact().deletionsForgotten == 15_000)
    #expect(try later.statistics().byteCount < full / 3)
    #expect(try later.values() == (15_000..<20_000).map(Double.init))
  }
}

extension Batch {
  /// Adds a heart rate whose start, end and value are its number.
  mutating func add(_ row: Int, to database: Database, type: String = "heartRate") {
    let key = database.key(type)
    add(
      subject: key.subject, type: key.type, id: Identifier(UUID()), start: Double(row),
      end: Double(row), value: Double(row))
  }
}
