import SampleLog
import Testing

/// Deletions that background merging may forget: those whose sample is in no other file.
@Suite struct MergingTests {
  private let fileSystem = MemoryFileSystem()
  private let now = Locked(0.0)

  /// Opens a store that merges four segments of up to eight rows.
  private func open(_ change: (inout Database.Options) -> Void = { _ in }) throws -> Database {
    let now = now
    return try Database.inMemory(fileSystem) { options in
      options.sealsInBackground = true
      options.segmentRowCount = 8
      options.deletionRetention = .seconds(100)
      options.clock = { now.withLock { $0 } }
      change(&options)
    }
  }

  private func pass(_ seconds: Double) { now.withLock { $0 += seconds } }

  private func seal(_ database: Database) throws {
    try database.seal()
    database.waitForBackgroundWork()
  }

  /// Saves a full segment of samples, which merging leaves alone.
  private func saveMany(_ database: Database) throws -> [Identifier] {
    let ids = try (0..<8).map { try database.save(value: Double($0)) }
    try seal(database)
    return ids
  }

  /// Seals three samples one by one, after which older segments are merged with them.
  private func saveThree(_ database: Database) throws {
    for value in 100..<103 {
      try database.save("stepCount", value: Double(value))
      try seal(database)
    }
  }

  private func segmentCount(_ database: Database) throws -> Int {
    try database.statistics().segmentCount
  }

  private func reopened(_ database: Database) throws -> Database {
    try database.close()
    return try open()
  }

  @Test func `A deletion is retained if its sample is in a segment that is not merged`() throws {
    let database = try open()
    let ids = try saveMany(database)
    try database.delete(ids[2])
    try seal(database)
    pass(1000)
    try saveThree(database)
    #expect(try segmentCount(database) == 2, "all but the oldest were merged")
    #expect(database.snapshot().floor == 0)
    let again = try reopened(database)
    #expect(try again.values() == [0, 1, 3, 4, 5, 6, 7])
    #expect(try again.snapshot().row(ids[2]) == nil)
    #expect(
      try again.snapshot().changes(after: Anchor(sequence: 8)).changes.first?.row.id == ids[2])
  }

  @Test
  func `A deletion is forgotten once another segment was rewritten without its sample`() throws {
    let database = try open()
    let ids = try saveMany(database)
    try database.delete(ids[2])
    // Rewrites the oldest segment without the sample when only its deletion is left.
    try database.compact()
    #expect(database.end == 9)
    pass(1000)
    try saveThree(database)
    #expect(try segmentCount(database) == 2)
    #expect(database.snapshot().floor == 9)
    #expect(try database.statistics().deletionCount == 0)
    #expect(try reopened(database).values() == [0, 1, 3, 4, 5, 6, 7])
  }

  @Test func `A deletion is retained if the file with its sample is missing`() throws {
    let database = try open()
    let ids = try saveMany(database)
    try database.delete(ids[2])
    try seal(database)
    try database.close()
    let name = try #require(fileSystem.list("store")?.sorted().first { $0.hasSuffix("segment") })
    try fileSystem.rename("store/" + name, to: "aside")
    pass(1000)
    let damaged = try open { $0.toleratesDamage = true }
    #expect(damaged.damages.count == 1)
    try damaged.compact()
    #expect(damaged.snapshot().floor == 0)
    try damaged.close()
    try fileSystem.rename("aside", to: "store/" + name)
    #expect(try open().values() == [0, 1, 3, 4, 5, 6, 7])
  }

  @Test func `At most three full logs wait to be sealed`() throws {
    let database = try Database.inMemory(fileSystem) { $0.sealRowCount = 1 }
    var most = 0
    for value in 0..<20 {
      try database.save(value: Double(value))
      most = max(most, try database.statistics().logCount)
    }
    #expect(most == 4, "including the active log")
    #expect(try database.statistics().segmentCount >= 15)
    #expect(try database.values().count == 20)
  }

  @Test func `Of two older segments the one with the sample decides`() throws {
    for isNewerRewritten in [false, true] {
      try decide(isNewerRewritten: isNewerRewritten)
    }
  }

  private func decide(isNewerRewritten: Bool) throws {
    let tests = MergingTests()
    let database = try tests.open()
    let old = try tests.saveMany(database)
    let new = try tests.saveMany(database)
    if isNewerRewritten {
      // The oldest segment has no deleted rows when the newer one is rewritten.
      try database.delete(new[7])
      try database.compact()
      try database.delete(old[0])
    } else {
      try database.delete(old[0])
      try database.delete(new[7])
      // Stops before the second segment.
      #expect(throws: StoreError.cancelled) {
        var rows = 0
        try database.compact(progress: { rows = $0.rowsDone }, isCancelled: { rows >= 8 })
      }
    }
    try tests.seal(database)
    tests.pass(1000)
    try tests.saveThree(database)
    if try tests.segmentCount(database) > 3 { try tests.saveThree(database) }
    #expect(database.snapshot().floor == 17)
    #expect(try database.statistics().deletionCount == 1)
    let again = try tests.reopened(database)
    #expect(try again.snapshot().row(old[0]) == nil)
    #expect(try again.snapshot().row(new[7]) == nil)
    #expect(try again.values().count == 14)
  }

  @Test func `A deletion that is merged with its sample is forgotten`() throws {
    let database = try open()
    _ = try saveMany(database)
    let first = try database.save("stepCount")
    try seal(database)
    try database.delete(first)
    try seal(database)
    pass(1000)
    try database.save("stepCount")
    try seal(database)
    try database.save("stepCount")
    try seal(database)
    #expect(try segmentCount(database) == 2)
    #expect(database.snapshot().floor == 10)
    #expect(try reopened(database).values("stepCount").count == 2)
  }

  @Test func `A deletion is forgotten when it is older than the retention, and not before`() throws
  {
    for (seconds, floor) in [(99.0, 0), (100, 0), (101, 10)] as [(Double, UInt64)] {
      let tests = MergingTests()
      let database = try tests.open()
      let id = try database.save()
      try tests.seal(database)
      for _ in 0..<8 { try database.save() }
      try database.delete(id)
      tests.pass(seconds)
      try tests.seal(database)
      #expect(try tests.segmentCount(database) == 2)
      try database.compact()
      #expect(database.snapshot().floor == floor, "\(seconds)")
    }
  }

  @Test func `Merging keeps a deletion that a durable subscription needs`() throws {
    let database = try open()
    let id = try database.save()
    try database.acknowledge("phone", through: 1)
    try seal(database)
    try database.delete(id)
    try seal(database)
    pass(1000)
    try database.save()
    try seal(database)
    try database.save()
    try seal(database)
    #expect(try segmentCount(database) == 1)
    #expect(database.snapshot().floor == 0)
    let again = try reopened(database)
    #expect(try again.snapshot().changes(after: Anchor(sequence: 1)).changes.first?.row.id == id)
    // Acknowledges exactly the deletion.
    try again.acknowledge("phone", through: 3)
    try seal(again)
    try saveThree(again)
    #expect(again.snapshot().floor == 3)
  }

  @Test func `A subscription that was added after the deletion was merged is respected`() throws {
    let database = try open()
    let ids = try (0..<3).map { try database.save(value: Double($0)) }
    try database.acknowledge("early", through: 0)
    try database.acknowledge("late", through: 3)
    try database.delete(ids[1])
    try database.acknowledge("early", through: 6)
    pass(1000)
    try database.compact()
    #expect(database.snapshot().floor == 0, "the lowest position counts")
    try database.removeAcknowledgement("late")
    try database.compact()
    #expect(database.snapshot().floor == 6)
  }

  @Test func `Four segments of one size class become one of the next`() throws {
    let database = try open { options in
      options.sealRowCount = 1
      options.segmentRowCount = 1000
    }
    var counts: [Int] = []
    for value in 0..<16 {
      try database.save(start: Double(value), value: Double(value))
      try seal(database)
      counts.append(try segmentCount(database))
    }
    #expect(counts == [1, 2, 3, 1, 2, 3, 4, 2, 3, 4, 5, 3, 4, 5, 6, 1])
    #expect(try database.values() == (0..<16).map(Double.init))
    #expect(try reopened(database).values() == (0..<16).map(Double.init))
  }

  @Test func `Merging produces segments of at most the maximum number of rows`() throws {
    for extra in [0, 1] {
      let tests = MergingTests()
      let database = try tests.open()
      for rows in [2, 2, 2, 2 + extra] {
        for value in 0..<rows { try database.save(value: Double(value)) }
        try tests.seal(database)
      }
      #expect(try tests.segmentCount(database) == (extra == 0 ? 1 : 4))
    }
  }

  @Test func `A compaction reports progress within a series`() throws {
    let database = try Database.inMemory()
    let key = database.key("heartRate")
    for part in 0..<2 {
      var batch = Batch()
      for row in 0..<10_000 {
        batch.add(
          subject: key.subject, type: key.type,
          id: Identifier(high: UInt64(part), low: UInt64(row)), start: Double(row),
          end: Double(row), value: 1)
      }
      try database.commit(batch)
      try database.seal()
    }
    var notified: [Int] = []
    try database.compact { notified.append($0.rowsDone) }
    #expect(notified.first == 0 && notified.last == 20_000)
    #expect(notified.count >= 4)
    #expect(notified == notified.sorted())
  }
}
