import Foundation
@testable import SampleLog
import Testing

/// Group commit: commits that wait while another is written are written together.
@Suite final class GroupTests {
  private let disk = HookedFileSystem()
  private let syncs = Locked(0)

  private func open() throws -> Database {
    try Database(path: "store", options: testOptions(), fileSystem: disk)
  }

  /// Commits a sample and, while it is being synced, queues batches in the given order.
  ///
  /// - Returns: The result of each batch.
  private func commitTogether(
    _ batches: [Batch], to database: Database, durability: [Durability] = []
  ) throws -> [Result<CommitResult, any Error>] {
    let results = Locked([Int: Result<CommitResult, any Error>]())
    let isFirst = Locked(true)
    let done = DispatchSemaphore(value: 0)
    disk.before = { [syncs] operation, path in
      guard operation == "sync", path.contains(".log") else { return }
      syncs.withLock { $0 += 1 }
      let isLeader = isFirst.withLock { first in
        defer { first = false }
        return first
      }
      guard isLeader else { return }
      for (number, batch) in batches.enumerated() {
        let durability = number < durability.count ? durability[number] : .durable
        Thread.detachNewThread {
          let result = Result { try database.commit(batch, durability: durability) }
          results.withLock { $0[number] = result }
          done.signal()
        }
        while database.committer.waiting <= number {}
      }
    }
    syncs.withLock { $0 = 0 }
    try database.save("leader")
    for _ in batches { done.wait() }
    disk.before = { _, _ in }
    return results.withLock { all in batches.indices.compactMap { all[$0] } }
  }

  private func batch(
    _ database: Database, _ value: Double, id: Identifier = Identifier(UUID()), name: String = "",
    version: Int64 = 0
  ) -> Batch {
    var batch = Batch()
    var extras = Extras()
    extras.syncIdentifier = Array(name.utf8)
    extras.syncVersion = version
    let key = database.key("heartRate")
    batch.add(
      subject: key.subject, type: key.type, id: id, start: value, end: value, value: value,
      extras: name.isEmpty ? 0 : batch.intern(extras: extras.encoded))
    return batch
  }

  private func error(_ result: Result<CommitResult, any Error>) -> StoreError? {
    if case .failure(let error) = result { error as? StoreError } else { nil }
  }

  @Test func `Independent commits are written and synced together`()
    throws
  {
    let database = try open()
    let old = try database.save(value: 0)
    let gone = try database.save(value: 9)
    var deletions = [Batch(), Batch()]
    deletions[0].delete(old)
    deletions[1].delete(gone)
    let batches =
      (1...3).map { batch(database, Double($0)) } + deletions
      + (4...6).map { batch(database, Double($0), name: "meal \($0)") }
    let results = try commitTogether(batches, to: database)
    #expect(syncs.withLock { $0 } == 2)
    #expect(try results.map { try $0.get().sequences } == (4...11).map { $0...$0 })
    #expect(try database.values() == [1, 2, 3, 4, 5, 6])
    #expect(try Database.inMemory(disk.memory.copy()).values() == [1, 2, 3, 4, 5, 6])
  }

  @Test(arguments: [
    ([Durability.buffered, .buffered], 1), ([.buffered, .durable], 2), ([.durable, .buffered], 2),
  ])
  func `A group is synced if one of its commits is durable`(
    durability: [Durability], expected: Int
  ) throws {
    let database = try open()
    let batches = [batch(database, 1), batch(database, 2)]
    _ = try commitTogether(batches, to: database, durability: durability)
    #expect(syncs.withLock { $0 } == expected)
    #expect(try database.values() == [1, 2])
  }

  @Test func `A save that arrives during a flush of buffered commits completes after it`() throws {
    let database = try open()
    try database.commit(batch(database, 1), durability: .buffered)
    let late = batch(database, 2)
    let isFirst = Locked(true)
    let done = DispatchSemaphore(value: 0)
    disk.before = { operation, path in
      let isFlush = isFirst.withLock { first in
        defer { if operation == "sync" { first = false } }
        return first && operation == "sync"
      }
      guard isFlush else { return }
      Thread.detachNewThread {
        #expect(throws: Never.self) { try database.commit(late) }
        done.signal()
      }
      while database.committer.waiting < 1 {}
    }
    try database.flush()
    done.wait()
    // The closure retains the database, which retains the disk.
    disk.before = { _, _ in }
    #expect(try database.values() == [1, 2])
  }

  @Test func `Of concurrent saves of one identifier the first succeeds`() throws {
    let database = try open()
    let id = Identifier(UUID())
    let batches = (1...4).map { batch(database, Double($0), id: id) }
    let results = try commitTogether(batches, to: database)
    #expect(results.map(error) == [nil] + [StoreError?](repeating: .duplicate(id), count: 3))
    #expect(try database.values() == [1])
  }

  @Test func `Of concurrent deletions of one sample the first succeeds`() throws {
    for isSealed in [false, true] {
      let database = try open()
      let id = try database.save()
      if isSealed { try database.seal() }
      var batch = Batch()
      batch.delete(id)
      let results = try commitTogether([batch, batch, batch], to: database)
      #expect(results.map(error) == [nil, .notFound(id), .notFound(id)])
      #expect(try database.values() == [])
      try database.close()
    }
  }

  @Test(arguments: [[2, 1, 3, 2], [1, 2, 3], [3, 2, 1], [1, 1]] as [[Int64]])
  func `Of concurrent versions the newest remains, and all saves succeed`(
    versions: [Int64]
  ) throws {
    let database = try open()
    let batches = versions.map { batch(database, Double($0), name: "meal", version: $0) }
    let results = try commitTogether(batches, to: database)
    #expect(results.map(error) == [StoreError?](repeating: nil, count: versions.count))
    #expect(try database.values() == [Double(versions.max() ?? 0)])
    let kept = try results.reduce(0) { try $0 + 1 - $1.get().superseded - $1.get().replaced }
    #expect(kept == 1)
  }
}
