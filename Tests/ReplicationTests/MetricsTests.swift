import Foundation
import SampleLog
import SampleLogSimulation
import Testing

@testable import SampleLogReplication

/// Metrics and events of primaries and replicas.
@Suite struct MetricsTests {
  private let stores = Stores()
  private let heard = Locked<[StoreEvent.Kind]>([])
  private let now = Locked(1_000_000.0)

  private func options(_ options: inout Database.Options) {
    options.clock = { [now] in now.withLock { $0 } }
    options.onEvent = { [heard] event in
      if case .opened = event.kind { return }
      heard.withLock { $0.append(event.kind) }
    }
  }

  private func primary(_ transport: (any StreamTransport)? = nil) throws -> Primary {
    try Primary(
      path: "primary", transport: transport ?? stores.shared, options: Stores.options(options),
      fileSystem: stores.files)
  }

  private func replica(
    _ transport: (any StreamTransport)? = nil, name: String? = nil
  ) throws -> Replica {
    try Replica(
      path: "replica", transport: transport ?? stores.stream, options: Stores.options(options),
      fileSystem: stores.files, name: name)
  }

  private func events(_ database: Database) -> [StoreEvent.Kind] {
    database.drainEvents()
    return heard.withLock { events in
      defer { events = [] }
      return events
    }
  }

  @Test func `A primary counts confirmed commits and measures their delay`() throws {
    stores.shared.change { $0.hasCrashed = true }
    let primary = try primary()
    try primary.database.save(1, 2)
    now.withLock { $0 += 5 }
    try primary.database.save(3)
    now.withLock { $0 += 2 }
    var metrics = primary.metrics()
    #expect((metrics.publishedThrough, metrics.lag, metrics.lagSeconds) == (0, 3, 7))
    stores.shared.change { $0.hasCrashed = false }
    try primary.confirm(through: 3, .replicated)
    metrics = primary.metrics()
    #expect((metrics.publishedThrough, metrics.lag, metrics.lagSeconds) == (3, 0, 0))
    #expect(metrics.messageCount == Int(try stores.shared.end()))
    #expect(metrics.byteCount > metrics.messageCount * Message.headerSize)
    #expect(metrics.prometheusText.contains("healthstore_replication_published_sequence 3\n"))
    try primary.close()
  }

  @Test func `A primary reports the loss and the return of its stream once each`() throws {
    stores.shared.change { $0.hasCrashed = true }
    let primary = try primary()
    try primary.database.save(1)
    #expect(throws: ReplicationError.notReplicated(through: 1)) {
      try primary.confirm(through: 1, .replicated, attempts: 20)
    }
    stores.shared.change { $0.hasCrashed = false }
    try primary.confirm(through: 1, .replicated)
    let events = events(primary.database)
    #expect(events.count == 2)
    guard case .streamUnreachable? = events.first, events.last == .streamReachable else {
      Issue.record("\(events)")
      return
    }
    #expect(primary.metrics().unresolvedCount >= 10)
    try primary.close()
  }

  @Test func `An idle primary reports the loss and the return of its stream once each`() throws {
    let stream = BreakableStream(stores.shared)
    let primary = try primary(stream)
    try primary.commit(primary.database.batch(1), acknowledgement: .replicated)
    stream.disconnect(.stream)
    for _ in 0..<8 { check(primary) }
    stream.disconnect()
    check(primary)
    try primary.close()
    #expect(
      events(primary.database) == [.streamUnreachable(reason: "Away()"), .streamReachable])
  }

  /// Checks the stream, and waits for the check.
  private func check(_ primary: Primary) {
    primary.check()
    _ = primary.publishedThrough
  }

  @Test func `A primary reports once each that its lease is refused and renewed again`() throws {
    let stream = BreakableStream(stores.shared)
    let primary = try primary(stream)
    stream.disconnect(.lease)
    for _ in 0..<8 {
      #expect(throws: BreakableStream.Away.self) { try primary.renewLease(holder: "one") }
    }
    stream.disconnect()
    #expect(try primary.renewLease(holder: "one"))
    try primary.close()
    #expect(
      events(primary.database) == [
        .streamServiceUnavailable(.lease, reason: "Away()"), .streamServiceAvailable(.lease),
      ])
  }

  @Test func `The lease of an unreachable stream is not reported separately`() throws {
    let stream = BreakableStream(stores.shared)
    let primary = try primary(stream)
    stream.disconnect(.stream, .lease)
    for _ in 0..<8 {
      check(primary)
      #expect(throws: BreakableStream.Away.self) { try primary.renewLease(holder: "one") }
    }
    stream.disconnect()
    check(primary)
    try primary.close()
    #expect(
      events(primary.database) == [.streamUnreachable(reason: "Away()"), .streamReachable])
  }

  @Test func `Refused reports are reported once by the replica and by a waiting primary`() throws {
    let stream = BreakableStream(stores.shared)
    let primary = try primary(stream)
    try stores.makeReplica("replica", of: primary.database)
    let replica = try replica(stream, name: "one")
    stream.disconnect(.reports)
    try primary.commit(primary.database.batch(1), acknowledgement: .replicated)
    // A failed report is repeated after 32 steps.
    for _ in 0..<200 { _ = try replica.step() }
    let problem = StoreEvent.Kind.streamServiceUnavailable(.reports, reason: "Away()")
    #expect(events(replica.database) == [problem])
    #expect(throws: ReplicationError.notCopied(through: 1, copies: 0, wanted: 1)) {
      try primary.confirm(through: 1, .copies(1), attempts: 8)
    }
    #expect(events(primary.database) == [problem])
    stream.disconnect()
    for _ in 0..<40 { _ = try replica.step() }
    try primary.confirm(through: 1, .copies(1), attempts: 8)
    primary.database.drainEvents()
    let recovery = StoreEvent.Kind.streamServiceAvailable(.reports)
    #expect(events(replica.database) == [recovery, recovery])
    try primary.close()
  }

  @Test func `A replaced primary reports it once and in its metrics`() throws {
    let primary = try primary()
    try primary.commit(primary.database.batch(1), acknowledgement: .replicated)
    try stores.makeReplica("other", of: primary.database)
    let other = try stores.replica("other", stores.shared)
    try other.catchUp()
    try Promotion(other).finish()
    let epoch = other.database.epoch
    #expect(throws: StoreError.fenced(epoch: epoch)) {
      try primary.commit(primary.database.batch(1), acknowledgement: .replicated)
    }
    #expect(throws: StoreError.fenced(epoch: epoch)) { try primary.database.save(3) }
    #expect(events(primary.database) == [.fenced(epoch: epoch)])
    #expect(primary.metrics().fencedBy == epoch)
    #expect(primary.metrics().prometheusText.contains("healthstore_replication_fenced 1\n"))
    try? primary.close()
  }

  @Test func `A replica counts the commits that it lacks and measures its lag`() throws {
    let database = try stores.open()
    let publisher = Publisher(database, stores.stream)
    try database.save(1)
    try publisher.publishAll()
    try stores.makeReplica("replica", of: database)
    let replica = try replica()
    #expect(replica.metrics().lagSeconds == nil)
    try replica.catchUp()
    #expect(replica.metrics().appliedThrough == 1)
    #expect((replica.metrics().lag, replica.metrics().lagSeconds) == (0, 0))
    now.withLock { $0 += 3 }
    #expect(replica.metrics().lagSeconds == 3)
    try replica.catchUp()
    #expect(replica.metrics().lagSeconds == 0)
    let text = replica.metrics().prometheusText
    #expect(text.contains("healthstore_replica_applied_sequence 1\n"))
    #expect(text.contains("healthstore_replica_lag_seconds 0.0\n"))
  }

  @Test func `A replica reports a new primary, a gap, and the need for a backup`() throws {
    let database = try stores.open()
    let publisher = Publisher(database, stores.stream, payloadLimit: 1)
    try database.save(1)
    try publisher.publishAll()
    try stores.makeReplica("replica", of: database)
    try stores.makeReplica("next", of: database)
    let replica = try replica()
    try replica.catchUp()
    let next = try stores.replica("next")
    try next.catchUp()
    try Promotion(next).finish()
    let epoch = next.database.epoch
    try replica.catchUp()
    #expect(events(replica.database) == [.epochBegan(epoch: epoch, first: 2)])
    try next.close()
    try Database.promote("next", fileSystem: stores.files)
    let successor = try stores.open("next")
    let second = Publisher(successor, stores.stream)
    for value in 3..<6 { try successor.save(Double(value)) }
    try second.publishAll()
    try successor.save(6)
    try second.publishAll()
    // The stream loses all but the last message before the replica reads it.
    try stores.stream.trim(through: stores.stream.last - 1)
    #expect(throws: ReplicationError.needsBackup(end: 2)) { try replica.catchUp() }
    #expect(events(replica.database) == [.resynchronizing(end: 2), .needsBackup(end: 2)])
    #expect(replica.metrics().needsBackup)
    #expect(replica.metrics().resynchronizationCount == 1)
  }

  @Test func `A replica reports the loss and the return of its stream once each`() throws {
    let database = try stores.open()
    try stores.makeReplica("replica", of: database)
    let broken = BreakableStream(stores.stream)
    let replica = try replica(broken)
    broken.disconnect(.stream)
    for _ in 0..<3 { #expect(throws: BreakableStream.Away.self) { try replica.step() } }
    #expect(!replica.metrics().isStreamReachable)
    broken.disconnect()
    for _ in 0..<3 { _ = try replica.step() }
    #expect(
      events(replica.database) == [.streamUnreachable(reason: "Away()"), .streamReachable])
    #expect(replica.metrics().isStreamReachable)
  }

  @Test func `The metrics page explains every metric and no other`() throws {
    var replica = ReplicaMetrics()
    replica.lagSeconds = 1
    let text = PrimaryMetrics().prometheusText + replica.prometheusText
    let names = text.split(separator: "\n").filter { $0.hasPrefix("# TYPE ") }
      .map { String($0.split(separator: " ")[2]) }
    let page = try String(
      contentsOf: URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../Docs/metrics.md"), encoding: .utf8)
    let section = try #require(page.split(separator: "\n## ").first { $0.hasPrefix("Replication") })
    let explained = section.split(separator: "`").filter { $0.hasPrefix("healthstore_") }
    #expect(names.sorted() == explained.map(String.init).sorted())
  }

  @Test func `The reported lag never understates the true lag`() {
    var lag = LagTracker()
    for number in 1...10_000 { lag.add(UInt64(number), at: Double(number)) }
    #expect(lag.seconds(at: 10_001) == 10_000)
    for confirmed in stride(from: 500, to: 10_000, by: 500) {
      lag.confirm(UInt64(confirmed))
      #expect(lag.seconds(at: 10_001) >= Double(10_001 - confirmed - 1))
    }
    lag.confirm(10_000)
    #expect(lag.seconds(at: 10_001) == 0)
  }
}

/// A stream parts of which can be made unreachable.
private final class BreakableStream: StreamTransport {
  struct Away: Error {}

  enum Part { case stream, lease, reports }

  private let broken = Locked(Set<Part>())
  private let stream: any StreamTransport

  init(_ stream: any StreamTransport) { self.stream = stream }

  /// Makes parts unreachable, and all others reachable.
  func disconnect(_ parts: Part...) { broken.withLock { $0 = Set(parts) } }

  private func reached(_ part: Part = .stream) throws -> any StreamTransport {
    if broken.withLock({ $0.contains(part) }) { throw Away() }
    return stream
  }

  func end() throws -> UInt64 { try reached().end() }
  func append(_ bytes: [UInt8], expecting last: UInt64) throws -> AppendOutcome {
    try reached().append(bytes, expecting: last)
  }
  func read(from sequence: UInt64, limit: Int) throws -> [StreamMessage] {
    try reached().read(from: sequence, limit: limit)
  }
  func lease(holder: String, seconds: Double) throws -> Bool {
    try reached(.lease).lease(holder: holder, seconds: seconds)
  }
  func trim(through sequence: UInt64) throws { try reached().trim(through: sequence) }
  func report(_ report: [UInt8], from replica: String) throws {
    try reached(.reports).report(report, from: replica)
  }
  func reports() throws -> [String: [UInt8]] { try reached(.reports).reports() }
}
