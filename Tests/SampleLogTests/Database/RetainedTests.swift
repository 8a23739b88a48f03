import Foundation
import Testing

@testable import SampleLog

/// What a database keeps depends on what is stored, not on how many commits it has seen.
@Suite struct RetainedTests {
  /// Commits that leave as much as there was before them.
  private final class Work {
    let database: Database
    private let bystander: ChangeFeed
    private let general: CommitObservation
    private var last: [Identifier?] = Array(repeating: nil, count: 8)
    private var number: UInt64 = 0

    init() throws {
      let clock = Locked(0.0)
      let options = testOptions { options in
        options.clock = {
          clock.withLock { now in
            now += 1
            return now
          }
        }
        options.subjectQuota = SubjectQuota(sampleCount: 1000, byteCount: 1 << 40)
        options.onEvent = { _ in }
        options.keepsSealedLogs = true
        options.deletionRetention = 0
        options.deliveryRetention = 0
        options.sealRowCount = 1 << 20
        options.identifierIndexByteCount = 1 << 20
      }
      database = try Database(path: "store", options: options, fileSystem: MemoryFileSystem())
      // Nobody reads it, and it is notified of every commit.
      bystander = try ChangeFeed(database, after: nil)
      general = database.observe { _ in }
      database.whenDurable { _ in }
      database.follow { _, _ in [] }
      _ = try database.register(database.key("heartRate"), frequency: 1)
    }

    /// Replaces a sample of one of eight series, by its sync identifier or by hand, and a setting.
    func commit() throws {
      number += 1
      let series = Int(number % 8)
      let key = database.key(series % 2 == 0 ? "heartRate" : "stepCount", subject: "\(series / 2)")
      var batch = Batch()
      var extras = Extras()
      if series < 4 {
        extras.syncIdentifier = [UInt8(series)]
        extras.syncVersion = Int64(number)
      } else if let last = last[series] {
        batch.delete(last)
      }
      let id = Identifier(high: 1, low: number)
      batch.add(
        to: key, id: id, start: Double(number), value: 1,
        extras: batch.number(ofExtras: extras.encoded))
      batch.dependencies = [Identifier(high: 2, low: number)]
      batch.set(Array("setting \(series)".utf8), to: [UInt8(number % 251) + 1])
      try database.commit(batch)
      last[series] = id
    }

    /// Commits so many times, and then has as few files as there can be.
    func run(_ commits: Int) throws -> Footprint {
      for count in 1...commits {
        try commit()
        if count % 500 == 0 { try database.acknowledge("reader", through: database.end) }
      }
      try database.seal()
      _ = try database.compact()
      try database.acknowledge("reader", through: database.end)
      database.events?.drain()
      return Footprint(of: database)
    }
  }

  @Test func `What follows deletions is called from one depth, however many commits were before`()
    throws
  {
    let database = try Database.inMemory()
    let depths = Locked<Set<Int>>([])
    database.follow { _, _ in
      let depth = Thread.callStackReturnAddresses.count
      depths.withLock { _ = $0.insert(depth) }
      return []
    }
    for number in 0..<20 as Range<UInt64> {
      let id = Identifier(high: 1, low: number)
      var batch = Batch()
      batch.add(to: database.key("heartRate"), id: id, start: 0, value: 1)
      try database.commit(batch)
      batch = Batch()
      batch.delete(id)
      try database.commit(batch)
    }
    #expect(depths.withLock { $0 }.count == 1)
  }

  @Test func `Many commits with every option set leave what a few leave`() throws {
    let work = try Work()
    let before = try work.run(500)
    #expect(before.sizes.count > 20)
    let after = try work.run(5000)
    #expect(after.growth(since: before, allowing: 8) == [])
  }
}
