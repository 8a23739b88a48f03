import SampleLog
import SampleLogSimulation
import Testing

@testable import SampleLogReplication

/// An old primary stops with messages in flight, another is promoted, the old one goes on.
@Suite struct ZombieTests {
  private let stores = Stores()

  private func primary() throws -> (Database, Publisher, Replica) {
    let primary = try stores.open()
    // One commit a message: no two fit.
    let publisher = Publisher(primary, stores.stream, payloadLimit: try frameLength())
    try primary.save(1)
    try publisher.publishAll()
    let replica = try stores.makeReplica("replica", fromBackupOf: primary)
    try replica.follow()
    return (primary, publisher, replica)
  }

  /// The bytes of a commit of one sample.
  private func frameLength() throws -> Int {
    let sample = try stores.open("sample")
    try sample.save(1)
    var tail = try LogTail(sample, after: 0)
    return try #require(try tail.next(byteLimit: 1)?.frames.first).length
  }

  /// The messages that a publisher would send one after another, each expecting the one before.
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

  @Test func `With messages in flight the second is accepted in the epoch's place, and lost`()
    throws
  {
    let (primary, _, replica) = try primary()
    for value in 2..<6 { try primary.save(Double(value)) }
    let inFlight = try messages(primary, after: 1)
    try Promotion(replica).finish()
    // Each expects what was the last message when it was sent.
    let outcomes = try inFlight.enumerated().map { offset, bytes in
      try stores.stream.append(bytes, expecting: 1 + UInt64(offset))
    }
    #expect(outcomes == [.refused, .accepted(3), .accepted(4), .accepted(5)])
    // What is taken for acknowledged then is lost: no reader counts it, not when it reads again.
    try replica.follow()
    try replica.follow()
    #expect(try replica.database.values == [1])
    #expect(replica.reader.voidCount == 3)
  }

  @Test(arguments: 0..<20)
  func `With one message in flight nothing behind the epoch is accepted`(round: Int) throws {
    let (primary, publisher, replica) = try primary()
    for value in 2..<6 { try primary.save(Double(value)) }
    // Some were accepted before it stopped; the next is in flight when the epoch begins.
    for _ in 0..<(round % 4) { #expect(try publisher.step() == .accepted) }
    let onItsWay = try messages(primary, after: publisher.publishedThrough).first
    let expected = stores.stream.last
    try replica.follow()
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
    // What the stream confirmed to it is in the history that goes on.
    #expect(replica.database.end == published + 1)
  }
}
