import Dispatch
import SampleLog
import SampleLogSimulation
import Testing

@testable import SampleLogReplication

@Suite struct CopiesTests {
  private let stores = Stores()
  private var shared: SharedStream { stores.shared }

  private func primary(_ transport: (any StreamTransport)? = nil) throws -> Primary {
    try Primary(
      path: "primary", transport: transport ?? shared, options: Stores.options(),
      fileSystem: stores.files)
  }

  private func replica(_ path: String, of database: Database) throws -> Replica {
    try stores.makeReplica(path, of: database)
    return try Replica(
      path: path, transport: shared, options: Stores.options(), fileSystem: stores.files,
      name: path)
  }

  @Test func `A commit is acknowledged once the requested number of replicas has it`() throws {
    let primary = try primary()
    let (one, other) = (
      try replica("one", of: primary.database), try replica("other", of: primary.database)
    )
    try primary.commit(primary.database.batch(1), acknowledgement: .replicated)
    try one.catchUp()
    #expect(throws: ReplicationError.notCopied(through: 1, copies: 1, wanted: 2)) {
      try primary.confirm(through: 1, .copies(2), attempts: 3)
    }
    try primary.confirm(through: 1, .copies(1), attempts: 1)
    try other.catchUp()
    try primary.confirm(through: 1, .copies(2), attempts: 1)
    #expect(throws: ReplicationError.notCopied(through: 2, copies: 0, wanted: 1)) {
      try primary.commit(
        primary.database.batch(2), acknowledgement: .copies(1), attempts: 3)
    }
    #expect(primary.database.end == 2)
    try primary.close()
  }

  @Test(arguments: [0, -1])
  func `Without copies a commit waits for the stream only`(count: Int) throws {
    let primary = try primary()
    try primary.commit(primary.database.batch(1), acknowledgement: .copies(count), attempts: 3)
    #expect(primary.publishedThrough == 1)
    try primary.close()
  }

  @Test func `Other writers save and publish while one waits for replicas`() throws {
    let reports = HeldReports(shared)
    let primary = try primary(reports)
    let one = try replica("one", of: primary.database)
    let isDone = DispatchSemaphore(value: 0)
    try primary.commit(primary.database.batch(1), acknowledgement: .replicated)
    DispatchQueue.global().async {
      do {
        try primary.confirm(through: 1, .copies(1))
      } catch {
        Issue.record(error)
      }
      isDone.signal()
    }
    // Waits for an answer that arrives only after this thread has saved and published.
    reports.isAsked.wait()
    try primary.commit(primary.database.batch(2), acknowledgement: .replicated)
    try one.catchUp()
    #expect(one.database.end == 2)
    reports.mayAnswer.signal()
    isDone.wait()
    try primary.close()
  }

  @Test func `A stream that lost a commit gets it again while a writer waits`() throws {
    let primary = try primary()
    let one = try replica("one", of: primary.database)
    try primary.commit(primary.database.batch(1), acknowledgement: .replicated)
    shared.recreate()
    #expect(throws: ReplicationError.notCopied(through: 1, copies: 0, wanted: 1)) {
      try primary.confirm(through: 1, .copies(1), attempts: 33)
    }
    // Publishing is asynchronous; asking for its progress waits for the append in flight.
    for _ in 0..<1000 where one.database.end == 0 {
      _ = primary.publishedThrough
      try one.catchUp()
    }
    try primary.confirm(through: 1, .copies(1), attempts: 1)
    try primary.close()
  }

  // MARK: Promotion

  /// Returns two replicas of a stream that lost a commit that only the first has.
  private func split() throws -> (ahead: Replica, behind: Replica) {
    let primary = try stores.open()
    let (ahead, behind) = (
      try replica("ahead", of: primary), try replica("behind", of: primary)
    )
    let publisher = Publisher(primary, stores.stream)
    try primary.save(1)
    try publisher.publishAll()
    try behind.catchUp()
    try primary.save(2)
    try publisher.publishAll()
    try ahead.catchUp()
    stores.stream.truncate(1)
    try primary.close()
    return (ahead, behind)
  }

  @Test func `A replica is not promoted while another has reported a later position`() throws {
    let (ahead, behind) = try split()
    #expect(throws: ReplicationError.behind(replica: "ahead", last: 2, end: 1)) {
      try Promotion(behind).finish()
    }
    #expect(behind.database.term == 0 && stores.stream.last == 1)
    try Promotion(ahead).finish()
    #expect(ahead.database.term == 1)
  }

  @Test func `A forced promotion succeeds for a replica that is behind`() throws {
    let (_, behind) = try split()
    try Promotion(behind, ignoresReports: true).finish()
    #expect(behind.database.term == 1)
  }

  @Test func `A replica of a lost epoch is behind one of the newer epoch`() throws {
    let (ahead, behind) = try split()
    try Promotion(ahead, ignoresReports: true).finish()
    _ = try ahead.step()
    stores.stream.truncate(1)
    #expect(throws: ReplicationError.behind(replica: "ahead", last: 3, end: 2)) {
      try Promotion(behind).finish()
    }
  }
}
