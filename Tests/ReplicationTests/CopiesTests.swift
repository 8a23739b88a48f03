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

  @Test func `A commit is acknowledged once as many replicas have it as were asked for`() throws {
    let primary = try primary()
    let (one, other) = (
      try replica("one", of: primary.database), try replica("other", of: primary.database)
    )
    try primary.commit(primary.database.batch(1), acknowledgement: .replicated)
    try one.follow()
    #expect(throws: ReplicationError.notCopied(through: 1, copies: 1, wanted: 2)) {
      try primary.confirm(through: 1, .copies(2), attempts: 3)
    }
    try primary.confirm(through: 1, .copies(1), attempts: 1)
    try other.follow()
    try primary.confirm(through: 1, .copies(2), attempts: 1)
    #expect(throws: ReplicationError.notCopied(through: 2, copies: 0, wanted: 1)) {
      try primary.commit(
        primary.database.batch(2), acknowledgement: .copies(1), attempts: 3)
    }
    #expect(primary.database.end == 2)
    try primary.close()
  }

  @Test(arguments: [0, -1])
  func `Without copies a commit waits for the stream, and for no more`(count: Int) throws {
    let primary = try primary()
    try primary.commit(primary.database.batch(1), acknowledgement: .copies(count), attempts: 3)
    #expect(primary.publishedThrough == 1)
    try primary.close()
  }

  @Test func `While one waits for replicas, others save and publish`() throws {
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
    // It waits for an answer that does not come before this one has saved and published.
    reports.isAsked.wait()
    try primary.commit(primary.database.batch(2), acknowledgement: .replicated)
    try one.follow()
    #expect(one.database.end == 2)
    reports.mayAnswer.signal()
    isDone.wait()
    try primary.close()
  }

  @Test func `A stream that has lost the commit gets it again while a saver waits`() throws {
    let primary = try primary()
    let one = try replica("one", of: primary.database)
    try primary.commit(primary.database.batch(1), acknowledgement: .replicated)
    shared.recreate()
    #expect(throws: ReplicationError.notCopied(through: 1, copies: 0, wanted: 1)) {
      try primary.confirm(through: 1, .copies(1), attempts: 33)
    }
    // Publishing goes on by itself; asking how far it is waits for what it has begun.
    for _ in 0..<1000 where one.database.end == 0 {
      _ = primary.publishedThrough
      try one.follow()
    }
    try primary.confirm(through: 1, .copies(1), attempts: 1)
    try primary.close()
  }

  // MARK: Promotion

  /// Two replicas, of which the stream has lost what only the first has.
  private func split() throws -> (ahead: Replica, behind: Replica) {
    let primary = try stores.open()
    let (ahead, behind) = (
      try replica("ahead", of: primary), try replica("behind", of: primary)
    )
    let publisher = Publisher(primary, stores.stream)
    try primary.save(1)
    try publisher.publishAll()
    try behind.follow()
    try primary.save(2)
    try publisher.publishAll()
    try ahead.follow()
    stores.stream.truncate(1)
    try primary.close()
    return (ahead, behind)
  }

  @Test func `A replica is not promoted while another has reported more`() throws {
    let (ahead, behind) = try split()
    #expect(throws: ReplicationError.behind(replica: "ahead", last: 2, end: 1)) {
      try Promotion(behind).finish()
    }
    #expect(behind.database.term == 0 && stores.stream.last == 1)
    try Promotion(ahead).finish()
    #expect(ahead.database.term == 1)
  }

  @Test func `A replica that is behind is promoted anyway if that is wanted`() throws {
    let (_, behind) = try split()
    try Promotion(behind, ignoresReports: true).finish()
    #expect(behind.database.term == 1)
  }

  @Test func `A replica of a lost epoch is behind one that follows the newer`() throws {
    let (ahead, behind) = try split()
    try Promotion(ahead, ignoresReports: true).finish()
    _ = try ahead.step()
    stores.stream.truncate(1)
    #expect(throws: ReplicationError.behind(replica: "ahead", last: 3, end: 2)) {
      try Promotion(behind).finish()
    }
  }
}
