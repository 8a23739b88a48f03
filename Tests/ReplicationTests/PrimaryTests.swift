import Dispatch
import SampleLog
import SampleLogSimulation
import Testing

@testable import SampleLogReplication

@Suite struct PrimaryTests {
  private let files = MemoryFileSystem()

  @Test func `A commit acknowledged as replicated is in the stream`() throws {
    let stream = SharedStream(SimulatedStream(seed: 1))
    let primary = try Primary(path: "primary", transport: stream, fileSystem: files)
    for value in 0..<20 {
      let last = try primary.commit(
        primary.database.batch(Double(value)), acknowledgement: .replicated
      ).sequences?.upperBound
      #expect(primary.publishedThrough >= last ?? .max)
    }
    try primary.close()
    let replica = try makeReplica(primary.database, stream)
    try replica.catchUp()
    #expect(replica.database.end == 20)
  }

  @Test func `Local commits are published before the store is closed`() throws {
    let stream = SharedStream(SimulatedStream(seed: 1))
    let primary = try Primary(path: "primary", transport: stream, fileSystem: files)
    DispatchQueue.concurrentPerform(iterations: 40) { number in
      do {
        try primary.commit(primary.database.batch(Double(number)))
      } catch {
        Issue.record(error)
      }
    }
    try primary.close()
    let replica = try makeReplica(primary.database, stream)
    try replica.catchUp()
    #expect(replica.database.end == 40)
  }

  @Test func `A stream that never answers leaves the commit in the store and is reported`() throws {
    let stream = SharedStream(SimulatedStream(seed: 1))
    stream.change { $0.hasCrashed = true }
    let primary = try Primary(path: "primary", transport: stream, fileSystem: files)
    #expect(throws: ReplicationError.notReplicated(through: 1)) {
      try primary.commit(
        primary.database.batch(1), acknowledgement: .replicated, attempts: 10)
    }
    #expect(primary.database.end == 1)
    #expect(throws: ReplicationError.notReplicated(through: 1)) { try primary.close() }
  }

  @Test func `Polling an unresponsive stream does not grow the queue`() throws {
    let stream = HeldEnds(SharedStream(SimulatedStream(seed: 1)))
    let primary = try Primary(path: "primary", transport: stream, fileSystem: files)
    try primary.commit(primary.database.batch(1), acknowledgement: .replicated)
    stream.hold()
    for _ in 0..<20 { primary.check() }
    stream.isAsked.wait()
    for _ in 0..<20 { primary.check() }
    stream.release()
    // Runs after all queued work.
    #expect(primary.publishedThrough == 1)
    #expect(stream.askedCount == 1)
    try primary.close()
  }

  @Test func `An idle primary that polls detects that it was replaced`() throws {
    let stream = SharedStream(SimulatedStream(seed: 1))
    let primary = try Primary(path: "primary", transport: stream, fileSystem: files)
    try primary.commit(primary.database.batch(1), acknowledgement: .replicated)
    let replica = try makeReplica(primary.database, stream)
    try replica.catchUp()
    try Promotion(replica).finish()
    primary.check()
    #expect(throws: StoreError.fenced(epoch: replica.database.epoch)) { try primary.close() }
  }

  private func makeReplica(_ database: Database, _ stream: SharedStream) throws -> Replica {
    try Database.makeReplica(
      ofStore: database.storeID, epoch: 1, at: "replica", of: "primary", fileSystem: files)
    return try Replica(path: "replica", transport: stream, fileSystem: files)
  }
}
