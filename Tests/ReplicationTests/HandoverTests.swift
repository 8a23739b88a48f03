import Dispatch
import SampleLog
import SampleLogSimulation
import Testing

@testable import SampleLogReplication

/// Promotions that ask the primary to hold its commits.
@Suite struct HandoverTests {
  private let files = MemoryFileSystem()
  private let stream = SharedStream(SimulatedStream(seed: 1))

  private func primary() throws -> Primary {
    try Primary(path: "primary", transport: stream, fileSystem: files)
  }

  private func replica(
    of primary: Primary, _ options: Database.Options = Database.Options()
  ) throws -> Replica {
    try Database.makeReplica(
      ofStore: primary.database.storeID, epoch: 1, at: "replica", of: "primary", fileSystem: files)
    let replica = try Replica(
      path: "replica", transport: stream, options: options, fileSystem: files)
    try replica.catchUp()
    return replica
  }

  private func ask(_ request: Handover) throws {
    try stream.report(request.encoded, from: Handover.name)
  }

  @Test func `A handover loses no commit, however it was acknowledged`() throws {
    let primary = try primary()
    try primary.commit(primary.database.batch(0), acknowledgement: .replicated)
    let replica = try replica(of: primary)
    let saved = Locked([0.0])
    let errors = Locked([StoreError]())
    let group = DispatchGroup()
    for saver in 0..<4 {
      DispatchQueue(label: "saver \(saver)").async(group: group) {
        var value = Double(saver + 1)
        do {
          while true {
            let result = try primary.commit(
              primary.database.batch(value), acknowledgement: saver == 0 ? .replicated : .local)
            saved.withLock { $0.append(value) }
            value += 4
            // The backlog stays small, so that the replica can catch up on a slow machine.
            try primary.confirm(through: result.sequences?.upperBound ?? 0, .replicated)
          }
        } catch let error as StoreError {
          errors.withLock { $0.append(error) }
        } catch {
          Issue.record(error)
        }
      }
    }
    let promotion = Promotion(replica, asksPrimary: true)
    while try promotion.step() == .waiting { primary.check() }
    group.wait()
    let epoch = replica.database.epoch
    #expect(errors.withLock { $0 } == Array(repeating: .fenced(epoch: epoch), count: 4))
    let values = Set(try replica.database.values)
    #expect(values.isSuperset(of: saved.withLock { $0 }))
    #expect(values == Set(try primary.database.values))
    #expect(replica.database.epochFirst == primary.database.end + 1)
    #expect(throws: StoreError.fenced(epoch: epoch)) { try primary.close() }
  }

  @Test func `A primary that no copy replaces in time continues`() throws {
    let primary = try primary()
    try primary.commit(primary.database.batch(1))
    let request = Handover(storeID: primary.database.storeID, epoch: 1, number: 1)
    primary.handOver(request, within: 0.01)
    #expect(try stream.reports()[Handover.name].flatMap { Handover($0)?.isAnswer } == true)
    try primary.commit(primary.database.batch(2), acknowledgement: .replicated)
    #expect(primary.publishedThrough == 2)
    try primary.close()
  }

  @Test func `A request is answered once, by the primary of its epoch`() throws {
    let primary = try primary()
    #expect(primary.takeHandover() == nil)
    let (id, epoch) = (primary.database.storeID, primary.database.epoch)
    try ask(Handover(storeID: Identifier(high: 1, low: 2), epoch: epoch, number: 1))
    #expect(primary.takeHandover() == nil)
    try ask(Handover(storeID: id, epoch: epoch + 1, number: 2))
    #expect(primary.takeHandover() == nil)
    for number in UInt64(3)..<5 {
      var request = Handover(storeID: id, epoch: epoch, number: number)
      try ask(request)
      #expect(primary.takeHandover() == request)
      #expect(primary.takeHandover() == nil)
      primary.endHandover()
      request.isAnswer = true
      try ask(request)
      #expect(primary.takeHandover() == nil)
    }
    try primary.close()
  }

  @Test func `A promotion that asks waits for the answer`() throws {
    let primary = try primary()
    try primary.commit(primary.database.batch(1), acknowledgement: .replicated)
    let promotion = Promotion(try replica(of: primary), asksPrimary: true)
    for _ in 0..<1000 { #expect(try promotion.step() == .waiting) }
    try primary.commit(primary.database.batch(2), acknowledgement: .replicated)
    try primary.close()
  }

  @Test func `A promotion asks again once the primary may hold its commits no longer`() throws {
    let primary = try primary()
    try primary.commit(primary.database.batch(1), acknowledgement: .replicated)
    let time = Locked(0.0)
    var options = Database.Options()
    options.clock = { time.withLock { $0 } }
    let promotion = Promotion(try replica(of: primary, options), asksPrimary: true)
    #expect(try promotion.step() == .waiting)
    let first = try #require(primary.takeHandover())
    primary.handOver(first, within: 0.001)
    #expect(try promotion.step() == .waiting)
    // The primary continues, and this commit is on its disk only.
    try primary.commit(primary.database.batch(2))
    time.withLock { $0 = 2 }
    #expect(try promotion.step() == .waiting)
    let second = try #require(primary.takeHandover())
    #expect(second.number != first.number)
    primary.endHandover()
    try primary.close()
  }

  @Test func `A request is no report, and a damaged one no request`() throws {
    let request = Handover(storeID: Identifier(high: 1, low: 2), epoch: 3, number: 4)
    try ask(request)
    #expect(try stream.reports(of: request.storeID).isEmpty)
    #expect(Handover(request.encoded) == request)
    for index in request.encoded.indices {
      var bytes = request.encoded
      bytes[index] ^= 1
      #expect(Handover(bytes) == nil)
      #expect(Handover(Array(request.encoded[..<index])) == nil)
    }
  }
}
