@testable import SampleLog
import Dispatch
import Foundation
import Testing

/// Handles that are closed or forked while other threads use them.
@Suite final class ClosingTests {
  private let disk = HookedFileSystem()

  private func open(_ change: (inout Database.Options) -> Void = { _ in }) throws -> Database {
    try Database(path: "store", options: testOptions(change), fileSystem: disk)
  }

  private var segments: [String] {
    (disk.list("store") ?? []).filter { $0.hasSuffix(".segment") }
  }

  @Test func `No operation writes to a directory whose lock was released`() throws {
    let database = try open { $0.sealsInBackground = true }
    try database.save(value: 1)
    let unlocked = Locked<[String]>([])
    let closing = DispatchGroup()
    disk.before = { [disk] operation, path in
      if operation == "rename", path.hasSuffix(".log.tmp"),
        closing.wait(timeout: .now()) == .success
      {
        // Creating a log holds up the closing.
        DispatchQueue.global().async(group: closing) {
          #expect(throws: Never.self) { try database.close() }
        }
        while !database.state.withLock({ $0.isClosed }) { sched_yield() }
        // Closing waits for the log, or for later work.
        for _ in 0..<10_000 { sched_yield() }
      } else if path.contains(".segment") {
        for _ in 0..<10_000 { sched_yield() }
        if (try? disk.memory.lock("store/LOCK")) != nil {
          unlocked.withLock { $0.append("\(operation) \(path)") }
        }
      }
    }
    // Closing meanwhile is an error, or too late for one.
    do { try database.seal() } catch StoreError.closed {}
    closing.wait()
    #expect(unlocked.withLock { $0 } == [])
    disk.before = { _, _ in }
    #expect(try open().values() == [1])
  }

  @Test func `Operations on a closed handle fail with the closed error`() throws {
    let database = try open()
    try database.save(value: 1)
    try database.close()
    let works: [() throws -> Void] = [
      { try database.save(value: 2) }, { try database.seal() }, { try database.compact() },
      { try database.flush() }, { try database.backup(to: "backup") },
      { try database.acknowledge("reader", through: 1) },
    ]
    for work in works { #expect(throws: StoreError.closed) { try work() } }
    // A thread that passed the first check before the closing.
    #expect(throws: StoreError.closed) { try database.submitFlush() }
    #expect(throws: StoreError.closed) { try database.committer.exclusively(database.rotate) }
  }

  @Test func `A forked process writes nothing and does not unlock the store`() throws {
    let database = try open()
    try database.save(value: 1)
    disk.isForked = true
    disk.before = { operation, path in Issue.record("\(operation) \(path)") }
    let works: [() throws -> Void] = [
      { try database.save(value: 2) }, { try database.seal() }, { try database.flush() },
      { try database.close() },
    ]
    for work in works { #expect(throws: StoreError.forked(path: "store")) { try work() } }
    #expect(try database.values() == [1])
  }

  @Test func `A callback of compaction can neither compact nor close the store`() throws {
    let database = try open()
    for value in 1...2 {
      try database.save(value: Double(value))
      try database.seal()
    }
    var refusals = 0
    try database.compact { _ in
      for work in [{ try database.compact() }, { try database.close() }] as [() throws -> Any] {
        do { _ = try work() } catch StoreError.invalid { refusals += 1 } catch {}
      }
    }
    #expect(refusals > 0 && refusals % 2 == 0)
    try database.save(value: 3)
    #expect(try database.values().sorted() == [1, 2, 3])
  }

  @Test func `Processes that save and close at once leave few segments`() throws {
    var most = 0
    for round in 0..<12 {
      let database = try open { $0.sealsInBackground = true }
      let key = database.key("heartRate")
      var batch = Batch()
      for row in 0..<8192 {
        batch.add(
          subject: key.subject, type: key.type,
          id: Identifier(high: 7, low: UInt64(round << 20 | row)),
          start: Double(row), end: Double(row), value: 1)
      }
      try database.commit(batch)
      try database.close()
      most = max(most, segments.count)
    }
    #expect(most <= 4)
    #expect(try open().values().count == 12 * 8192)
  }

  @Test(arguments: [Int.min, -1, 0, 1, Int.max])
  func `Any value is accepted for the number of rows before sealing`(count: Int) throws {
    let database = try open {
      $0.sealsInBackground = true
      $0.sealRowCount = count
    }
    for value in 1...9 { try database.save(start: Double(value), value: Double(value)) }
    try database.seal()
    try database.compact()
    database.waitForBackgroundWork()
    #expect(try database.values() == (1...9).map(Double.init))
    try database.close()
  }
}
