import SampleLog
import SampleLogSimulation
import Testing

@testable import SampleLogReplication

/// An old primary that pauses with messages in flight and resumes after a promotion.
@Suite struct ZombieTests {
  private let stores = Stores()

  private func primary() throws -> (Database, Publisher, Replica) {
    let primary = try stores.open()
    // One commit per message: the limit admits no second one.
    let publisher = Publisher(primary, stores.stream, payloadLimit: try frameLength())
    try primary.save(1)
    try publisher.publishAll()
    let replica = try stores.makeReplica("replica", fromBackupOf: primary)
    try replica.catchUp()
    return (primary, publisher, replica)
  }

  /// The size of a commit of one sample, in bytes.
  private func frameLength() throws -> Int {
    let sample = try stores.open("sample")
    try sample.save(1)
    var tail = try LogTail(sample, after: 0)
    return try #require(try tail.next(byteLimit: 1)?.frames.first).length
  }

  /// The messages that a publisher would send in succession, each expecting the preceding one.
  private func messages(_ database: Database, after last: UInt64) throws -> [[UInt8]] {
    var tail = try LogTail(database, after: last)
    let writer = Writer(
      storeID: database.storeID, epoch: database.epoch, term: database.term,
      epochFirst: database.epochFirst)
    var messages: [[UInt8]] = []
    while let commits = try tail.next(byteLimit: 1) {
      messages += Message.messages(of: commits, writer: writer, floor: 0).map(\.encoded)
    }
    return messages
  }

  @Test func `With several messages in flight, the second is accepted and lost`() throws {
    let (primary, _, replica) = try primary()
    for value in 2..<6 { try primary.save(Double(value)) }
    let inFlight = try messages(primary, after: 1)
    try Promotion(replica).finish()
    // Each expects the message that was the last when it was sent.
    let outcomes = try inFlight.enumerated().map { offset, bytes in
      try stores.stream.append(bytes, expecting: 1 + UInt64(offset))
    }
    #expect(outcomes == [.refused, .accepted(3), .accepted(4), .accepted(5)])
    // Commits that are then taken for acknowledged are lost: no reader counts them, then or later.
    try replica.catchUp()
    try replica.catchUp()
    #expect(try replica.database.values == [1])
    #expect(replica.reader.rejectedCount == 3)
  }

  @Test(arguments: 0..<20)
  func `A single message in flight is not accepted after the epoch's record`(round: Int) throws {
    let (primary, publisher, replica) = try primary()
    for value in 2..<6 { try primary.save(Double(value)) }
    // The stream accepts some before the pause; the next is in flight when the epoch begins.
    for _ in 0..<(round % 4) { #expect(try publisher.step() == .accepted) }
    let onItsWay = try messages(primary, after: publisher.publishedThrough).first
    let expected = stores.stream.last
    try replica.catchUp()
    try Promotion(replica).finish()
    if let onItsWay {
      #expect(try stores.stream.append(onItsWay, expecting: expected) == .refused)
    }
    let last = stores.stream.last
    let published = publisher.publishedThrough
    #expect(throws: StoreError.fenced(epoch: replica.database.epoch)) {
      while try publisher.step() != .idle {}
      publisher.check()
      _ = try publisher.step()
    }
    #expect(stores.stream.last == last)
    #expect(publisher.publishedThrough == published)
    // Every commit that the stream confirmed is in the surviving history.
    #expect(replica.database.end == published + 1)
  }
}
