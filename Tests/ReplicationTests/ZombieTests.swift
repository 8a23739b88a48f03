import SampleLog
import SampleLogSimulation
import Testing

@testable import SampleLogReplication

/// An old primary stops with messages on their way, another is promoted, the old one goes on.
@Suite struct ZombieTests {
  private let stores = Stores()

  private func primary() throws -> (Database, Publisher, Replica) {
    let primary = try stores.open()
    let publisher = Publisher(primary, stores.stream)
    try primary.save(1)
    try publisher.publishAll()
    let replica = try stores.makeReplica("replica", fromBackupOf: primary)
    try replica.follow()
    return (primary, publisher, replica)
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
    // Whoever takes these for acknowledged has lost them: no reader counts them.
    try replica.follow()
    #expect(try replica.database.values == [1])
    #expect(replica.reader.voidCount == 3)
  }

  @Test(arguments: 0..<20)
  func `With one message in flight nothing behind the epoch is accepted`(round: Int) throws {
    let (primary, publisher, replica) = try primary()
    for value in 2..<6 { try primary.save(Double(value)) }
    // So many were accepted before it stopped; the next is on its way when the epoch begins.
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
    // What it was told the stream has is in the history that goes on.
    #expect(replica.database.end == published + 1)
  }
}
