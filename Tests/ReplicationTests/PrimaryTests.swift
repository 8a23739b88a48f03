import Dispatch
import SampleLog
import SampleLogSimulation
import Testing

@testable import SampleLogReplication

@Suite struct PrimaryTests {
  private let files = MemoryFileSystem()

  private func batch(_ database: Database, _ value: Double) -> Batch {
    var batch = Batch()
    batch.add(
      to: SeriesKey(
        subject: database.symbols.intern("ada"), type: database.symbols.intern("steps")),
      start: value, value: value)
    return batch
  }

  @Test func `What is acknowledged as replicated is in the stream`() throws {
    let stream = SimulatedStream(seed: 1)
    let primary = try Primary(path: "primary", transport: stream, fileSystem: files)
    for value in 0..<20 {
      let last = try primary.commit(
        batch(primary.database, Double(value)), acknowledgement: .replicated
      ).sequences?.upperBound
      #expect(primary.publishedThrough >= last ?? .max)
    }
    try primary.close()
    let replica = try makeReplica(primary.database, stream)
    try replica.follow()
    #expect(replica.database.end == 20)
  }

  @Test func `What is saved locally is published by the time the store is closed`() throws {
    let stream = SimulatedStream(seed: 1)
    let primary = try Primary(path: "primary", transport: stream, fileSystem: files)
    DispatchQueue.concurrentPerform(iterations: 40) { number in
      do {
        try primary.commit(batch(primary.database, Double(number)))
      } catch {
        Issue.record(error)
      }
    }
    try primary.close()
    let replica = try makeReplica(primary.database, stream)
    try replica.follow()
    #expect(replica.database.end == 40)
  }

  @Test func `A stream that never answers leaves the commit in the store, and says so`() throws {
    let stream = SimulatedStream(seed: 1)
    stream.faults.silence = 1
    stream.faults.isDead = true
    let primary = try Primary(path: "primary", transport: stream, fileSystem: files)
    #expect(throws: ReplicationError.notReplicated(through: 1)) {
      try primary.commit(
        batch(primary.database, 1), acknowledgement: .replicated, attempts: 10)
    }
    #expect(primary.database.end == 1)
    #expect(throws: ReplicationError.notReplicated(through: 1)) { try primary.close() }
  }

  private func makeReplica(_ database: Database, _ stream: SimulatedStream) throws -> Replica {
    try Database.makeReplica(
      ofStore: database.storeID, epoch: 1, at: "replica", of: "primary", fileSystem: files)
    return try Replica(path: "replica", transport: stream, fileSystem: files)
  }
}
