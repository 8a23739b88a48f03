import Dispatch
import Foundation
import SampleLogSimulation
@testable import SampleLog
import Testing

/// Commits that another one overtakes between validation and writing.
@Suite final class StaleCommitTests {
  private let disk = HookedFileSystem()
  private let sealed = Identifier(UUID())
  private var overtakings = 0

  /// A store whose only sample is in a segment.
  private func open() throws -> Database {
    let first = try Database(path: "store", options: testOptions(), fileSystem: disk)
    try first.save(value: 1, id: sealed)
    try first.seal()
    try first.close()
    let database = try Database(path: "store", options: testOptions(), fileSystem: disk)
    // The index is read under a lock; identifiers are read at each lookup, without one.
    #expect(try database.snapshot().row(sealed) != nil)
    return database
  }

  /// Deletes the sealed sample, and runs the body while the deletion reads the segment.
  private func commit(
    _ batch: Batch, to database: Database, overtakenBy body: @escaping () throws -> Void
  ) throws -> CommitResult {
    var batch = batch
    batch.delete(sealed)
    disk.beforeReading = { [self] path in
      guard path.hasSuffix(".segment") else { return }
      disk.beforeReading = { _ in }
      overtakings += 1
      try body()
    }
    defer { #expect(overtakings == 1) }
    return try database.commit(batch)
  }

  private func batch(
    _ database: Database, _ value: Double, id: Identifier = Identifier(UUID()),
    version: Int64? = nil
  ) -> Batch {
    var batch = Batch()
    var extras = Extras()
    if let version {
      extras.syncIdentifier = Array("meal".utf8)
      extras.syncVersion = version
    }
    let key = database.key("heartRate")
    let number = batch.intern(extras: extras.encoded)
    batch.add(
      subject: key.subject, type: key.type, id: id, start: value, end: value, value: value,
      extras: number)
    return batch
  }

  @Test func `An identifier that a concurrent commit saved is refused`() throws {
    let database = try open()
    let id = Identifier(UUID())
    let late = batch(database, 3, id: id)
    #expect(throws: StoreError.duplicate(id)) {
      try commit(late, to: database) { [self] in
        try database.commit(batch(database, 2, id: id))
      }
    }
    #expect(try database.values() == [1, 2])
  }

  @Test func `A sample that a concurrent commit deleted cannot be deleted again`() throws {
    let database = try open()
    #expect(throws: StoreError.notFound(sealed)) {
      try commit(batch(database, 2), to: database) { [self] in try database.delete(sealed) }
    }
    #expect(try database.values() == [])
  }

  @Test(arguments: [(1, 2), (2, 1), (2, 2)] as [(Int64, Int64)])
  func `Of two versions the newer one remains, in either order of commits`(
    first: Int64, second: Int64
  ) throws {
    let database = try open()
    let late = batch(database, 20 + Double(second), version: second)
    let result = try commit(late, to: database) { [self] in
      try database.commit(batch(database, 10 + Double(first), version: first))
    }
    #expect(result.replaced == (second > first ? 1 : 0))
    #expect(result.superseded == (second > first ? 0 : 1))
    #expect(try database.values() == [second > first ? 20 + Double(second) : 10 + Double(first)])
  }

  @Test
  func `Concurrent saves of other samples, sealing and compaction do not affect a commit`() throws {
    for isSealing in [false, true] {
      let database = try open()
      let result = try commit(batch(database, 3), to: database) { [self] in
        try database.commit(batch(database, 2))
        if isSealing {
          try database.seal()
          try database.compact()
        }
      }
      #expect(result.sequences == 3...4)
      #expect(try database.values() == [2, 3])
      try database.close()
      for name in disk.list("store") ?? [] { try disk.remove("store/" + name) }
      overtakings = 0
    }
  }

  private struct Endless: Error {}

  @Test
  func `A commit that is overtaken at every opportunity completes after a few attempts`() throws {
    let database = try open()
    let others = DispatchQueue(label: "others")
    let saver = Thread.current
    nonisolated(unsafe) var tries = 0
    disk.beforeReading = { path in
      guard Thread.current === saver, path.hasSuffix(".segment") else { return }
      tries += 1
      if tries > 50 { throw Endless() }
      let isDone = Locked(false)
      others.async {
        #expect(throws: Never.self) {
          try database.save(start: Double(tries), value: Double(tries))
          try database.seal()
        }
        isDone.withLock { $0 = true }
      }
      // Runs until the other commits are done, or wait for this one.
      while !isDone.withLock({ $0 }), database.committer.waiting == 0 { sched_yield() }
    }
    try database.delete(sealed)
    others.sync {}
    disk.beforeReading = { _ in }
    #expect(try database.values() == (1...tries).map { Double($0) })
  }

  @Test(arguments: [false, true])
  func `A deletion calls its hook again if a concurrent commit depends on the sample`(isSaid: Bool)
    throws
  {
    let database = try open()
    let ends = Locked<[UInt64]>([])
    database.addCommitHook { deletions, snapshot in
      ends.withLock { $0.append(snapshot.end) }
      return []
    }
    _ = try commit(Batch(), to: database) { [self] in
      var other = batch(database, 2)
      if isSaid { other.dependencies = [sealed] }
      try database.commit(other)
    }
    #expect(ends.withLock { $0 } == (isSaid ? [1, 2] : [1]))
  }

  @Test(arguments: [FaultyFileSystem.Faults.write, .sync])
  func `A sample that a failed commit depends on can be deleted`(
    faults: FaultyFileSystem.Faults
  ) throws {
    let faulty = FaultyFileSystem()
    let database = try Database(path: "store", options: testOptions(), fileSystem: faulty)
    let id = try database.save(value: 1)
    var dependent = batch(database, 2)
    dependent.dependencies = [id]
    faulty.faults = faults
    #expect(throws: FaultyFileSystem.error) { try database.commit(dependent) }
    faulty.faults = []
    // Otherwise the deletion would be prepared again for ever.
    try #require(database.committer.dependencies.leave([id], since: database.end))
    try database.delete(id)
    #expect(try database.values() == [])
  }

  @Test
  func `A commit that refers to a sample is prepared again if the sample is deleted`() throws {
    let database = try open()
    var isFirst = true
    var found: [Bool] = []
    try database.commit(making: { [self] snapshot in
      found.append(try snapshot.row(sealed) != nil)
      if isFirst {
        isFirst = false
        var deletion = Batch()
        deletion.delete(sealed)
        try database.commit(deletion)
      }
      var batch = batch(database, 2)
      batch.dependencies = [sealed]
      return batch
    })
    #expect(found == [true, false])
  }
}
