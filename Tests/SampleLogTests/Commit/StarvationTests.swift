@testable import SampleLog
import Dispatch
import Foundation
import Testing

/// Writers, deleters and subscriptions, concurrent with each other and with constantly moving rows.
@Suite struct StarvationTests {
  @Test func `No commit is prepared more than a few times, whatever runs concurrently`()
    throws
  {
    let database = try Database.inMemory { $0.sealRowCount = 200 }
    let key = database.key("heartRate")
    var ids: [Identifier] = []
    var batch = Batch()
    for row in 0..<6000 {
      ids.append(Identifier(UUID()))
      batch.add(
        subject: key.subject, type: key.type, id: ids[row], start: Double(row), end: Double(row),
        value: 1)
    }
    try database.commit(batch)
    try database.seal()
    let most = Locked(0)
    let isDone = Locked(false)
    let workers = DispatchGroup()
    func work(_ body: @escaping @Sendable () throws -> Void) {
      let thread = Thread {
        #expect(throws: Never.self) { try body() }
        workers.leave()
      }
      workers.enter()
      thread.start()
    }
    @Sendable func commit(_ batch: Batch) throws {
      var tries = 0
      _ = try database.commit {
        tries += 1
        // The bound counts work, not time; it ends an endless retry.
        if tries > 50 { throw StoreError.cancelled }
        try $0.prepare(batch)
      }
      most.withLock { $0 = max($0, tries) }
    }
    // Runs without a pause.
    work {
      while !isDone.withLock({ $0 }) { try database.save("steps") }
    }
    work {
      while !isDone.withLock({ $0 }) {
        try database.seal()
        try database.compact()
      }
    }
    // A fixed number of commits each, all of which must complete.
    let finishing = DispatchGroup()
    for part in 0..<2 {
      finishing.enter()
      work { [ids] in
        defer { finishing.leave() }
        for round in 0..<6 {
          var batch = Batch()
          let first = part * 3000 + round * 500
          for id in ids[first..<first + 500] { batch.delete(id) }
          try commit(batch)
        }
      }
    }
    finishing.enter()
    work {
      defer { finishing.leave() }
      for _ in 0..<30 { try database.acknowledge("reader", through: database.end) }
    }
    finishing.wait()
    isDone.withLock { $0 = true }
    workers.wait()
    #expect(most.withLock { $0 } <= 4)
    #expect(try database.values() == [])
  }
}
