import Foundation
import SampleLogSimulation
import Testing

@testable import SampleLog

/// Quotas per subject: commits that exceed one are refused, and counts remain exact under any load.
@Suite struct SubjectQuotaTests {
  private let files = MemoryFileSystem()

  private func open(
    samples: Int? = nil, bytes: Int? = nil, _ files: (any FileSystem)? = nil
  ) throws -> Database {
    let options = testOptions {
      $0.subjectQuota = SubjectQuota(sampleCount: samples, byteCount: bytes)
    }
    return try Database(path: "store", options: options, fileSystem: files ?? self.files)
  }

  private func batch(
    _ database: Database, _ count: Int, subject: String = "ada", name: String = "",
    version: Int64 = 0
  ) -> Batch {
    var batch = Batch()
    for number in 0..<count {
      var extras = Extras()
      extras.syncIdentifier = Array(name.utf8)
      extras.syncVersion = version
      batch.add(
        to: database.key("heartRate", subject: subject), id: Identifier(UUID()),
        start: Double(number), end: Double(number), value: 1,
        extras: name.isEmpty ? 0 : batch.intern(extras: extras.encoded))
    }
    return batch
  }

  private func refusal(_ actual: Int, _ allowed: Int) -> StoreError {
    .limitExceeded(.subjectSamples, actual: actual, allowed: allowed)
  }

  @Test func `A batch that exceeds a subject's quota is refused as a whole`() throws {
    let database = try open(samples: 10)
    try database.commit(batch(database, 8))
    #expect(throws: refusal(11, 10)) { try database.commit(batch(database, 3)) }
    try database.commit(batch(database, 2))
    try database.commit(batch(database, 10, subject: "bob"))
    #expect(try database.values().count == 10)
    #expect(database.end == 20)
  }

  @Test func `A batch of several subjects is refused if one of them exceeds its quota`() throws {
    let database = try open(samples: 2)
    var both = batch(database, 2)
    both.add(
      to: database.key("stepCount", subject: "bob"), id: Identifier(UUID()), start: 0, end: 0,
      value: 1)
    both.add(to: database.key("stepCount"), id: Identifier(UUID()), start: 0, end: 0, value: 1)
    #expect(throws: refusal(3, 2)) { try database.commit(both) }
    #expect(database.end == 0)
  }

  @Test func `Deletions and replacements are admitted at the quota, and free space`() throws {
    let database = try open(samples: 1)
    try database.commit(batch(database, 1, name: "sync", version: 1))
    try database.commit(batch(database, 1, name: "sync", version: 2))
    #expect(throws: refusal(2, 1)) { try database.save() }
    let id = try #require(try database.snapshot().select([database.key("heartRate")]).first).id
    try database.delete(id)
    let last = try database.save()
    try database.seal()
    var swap = batch(database, 1)
    swap.delete(last)
    try database.commit(swap)
    #expect(try database.values().count == 1)
  }

  @Test func `Existing samples count after opening and compaction`() throws {
    var database = try open()
    for _ in 0..<3 { try database.save() }
    try database.delete(try database.save())
    try database.seal()
    try database.save()
    try database.close()
    database = try open(samples: 5)
    try database.save()
    #expect(throws: refusal(6, 5)) { try database.save() }
    _ = try database.compact()
    #expect(throws: refusal(6, 5)) { try database.save() }
    try database.close()
    // Lowering a quota deletes no samples.
    database = try open(samples: 2)
    #expect(throws: refusal(6, 2)) { try database.save() }
    #expect(try database.values().count == 5)
  }

  @Test
  func `An erased subject starts at zero, and moved samples count for the new subject`() throws {
    let database = try open(samples: 3)
    try database.commit(batch(database, 3))
    try database.commit(batch(database, 2, subject: "bob"))
    let (ada, bob) = (database.symbols.intern("ada"), database.symbols.intern("bob"))
    #expect(throws: refusal(5, 3)) { try database.move(bob, to: ada, isNew: false) }
    try database.erase(ada)
    try database.move(bob, to: ada, isNew: false)
    try database.save()
    #expect(throws: refusal(4, 3)) { try database.save() }
    try database.commit(batch(database, 3, subject: "bob"))
  }

  @Test func `Child rows do not count`() throws {
    let database = try open(samples: 1)
    var batch = batch(database, 1)
    var extras = Extras()
    extras.memberOf = [batch.rows.id[0]]
    let number = batch.intern(extras: extras.encoded)
    let key = SeriesKey(
      subject: database.symbols.intern("ada"),
      type: database.symbols.intern(ChildType.name("point", of: "heartRate")))
    for value in 0..<5 {
      batch.add(
        to: key, id: Identifier(UUID()), start: 0, end: 0, value: Double(value), extras: number)
    }
    try database.commit(batch)
    try database.delete(batch.rows.id[0])
    try database.save()
  }

  @Test func `A subject at its byte quota is refused further samples`() throws {
    let database = try open(bytes: 1000)
    try database.commit(batch(database, 400))
    try database.commit(batch(database, 1, subject: "bob"))
    try database.seal()
    let key = database.symbols.intern("ada")
    let bytes = try #require(try database.snapshot().subjects().first { $0.subject == key })
    let refused = StoreError.limitExceeded(
      .subjectBytes, actual: bytes.byteCount, allowed: 1000)
    #expect(throws: refused) { try database.save() }
    try database.save(subject: "bob")
    let all = try database.snapshot().select([database.key("heartRate")]).map(\.id)
    for id in all.dropFirst(10) { try database.delete(id) }
    #expect(throws: refused) { try database.save() }
    try database.seal()
    _ = try database.compact()
    try database.save()
  }

  @Test func `Concurrent writers use up a quota and never exceed it`() throws {
    let limit = 100
    let database = try open(samples: limit)
    let accepted = Locked(0)
    let refused = Locked(0)
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      for _ in 0..<25 {
        do {
          try database.save()
          accepted.withLock { $0 += 1 }
        } catch {
          refused.withLock { $0 += 1 }
        }
      }
      // Other samples of the subject are counted meanwhile.
      for _ in 0..<5 { _ = try? database.save(subject: "bob") }
    }
    #expect(accepted.withLock { $0 } == limit)
    #expect(refused.withLock { $0 } == 100)
    #expect(try database.values().count == limit)
  }

  @Test func `A commit group stays within a quota`() throws {
    let disk = HookedFileSystem()
    let database = try open(samples: 3, disk)
    let results = Locked([Bool]())
    let done = DispatchSemaphore(value: 0)
    let isFirst = Locked(true)
    let batches = (0..<4).map { _ in batch(database, 1) }
    disk.before = { operation, path in
      guard operation == "sync", path.contains(".log"),
        isFirst.withLock({ first in
          defer { first = false }
          return first
        })
      else { return }
      for (number, batch) in batches.enumerated() {
        Thread.detachNewThread {
          let result = Result { try database.commit(batch) }
          results.withLock { $0.append((try? result.get()) != nil) }
          done.signal()
        }
        while database.committer.waiting <= number {}
      }
    }
    try database.save()
    for _ in batches { done.wait() }
    disk.before = { _, _ in }
    #expect(results.withLock { $0.count { $0 } } == 2)
    #expect(try database.values().count == 3)
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `Counts are exact after a random workload`(seed: UInt64) throws {
    var random = Seeded(mixing: seed, 17)
    let limit = 12
    var database = try open(samples: limit)
    var live: [String: [Identifier]] = ["ada": [], "bob": [], "cy": []]
    let subjects = ["ada", "bob", "cy"]
    for _ in 0..<200 {
      let subject = subjects[random.below(3)]
      let have = live[subject, default: []]
      switch random.below(14) {
      case 0..<7:
        let count = 1 + random.below(4)
        var batch = batch(database, count, subject: subject)
        let gone = random.oneIn(3) ? Array(have.prefix(random.below(3))) : []
        for id in gone { batch.delete(id) }
        let after = have.count + count - gone.count
        if after > limit, count > gone.count {
          #expect(throws: refusal(after, limit)) { try database.commit(batch) }
        } else {
          try database.commit(batch)
          live[subject] = have.filter { !gone.contains($0) } + batch.rows.id
        }
      case 7..<10:
        if let id = have.last {
          try database.delete(id)
          live[subject]?.removeLast()
        }
      case 10:
        try database.erase(database.symbols.intern(subject))
        live[subject] = []
      case 11: try database.seal()
      case 12: _ = try database.compact()
      default:
        try database.close()
        database = try open(samples: limit)
      }
    }
    for subject in subjects {
      let key = database.key("heartRate", subject: subject)
      #expect(Set(try database.snapshot().select([key]).map(\.id)) == Set(live[subject] ?? []))
    }
  }

  @Test(arguments: [-1, 0, 1])
  func `A byte quota is used up once its bytes are in segments`(more: Int) throws {
    var database = try open()
    try database.commit(batch(database, 400))
    try database.seal()
    let used = try #require(try database.snapshot().subjects().first).byteCount
    try database.close()
    database = try open(bytes: used + more)
    if more > 0 {
      try database.save()
    } else {
      let refused = StoreError.limitExceeded(.subjectBytes, actual: used, allowed: used + more)
      #expect(throws: refused) { try database.save() }
    }
  }
}
