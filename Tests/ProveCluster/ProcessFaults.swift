import Foundation
import SampleLog
import SampleLogNATS
import SampleLogReplication

/// A saving process and a following one, while processes and servers are killed and stopped,
/// connections are cut or fall silent, and servers lose files; then the replica is promoted while
/// the saver is stopped.
///
/// At the end every acknowledged sample must be present and unchanged, and the copies must be
/// equal.
final class ProcessFaults {
  let servers: NATSServers
  private let folder: URL
  var random: SeededGenerator
  let primaryProxies: [Proxy]
  let replicaProxies: [Proxy]
  private(set) var storeID = Identifier()
  private(set) var saver: Child?
  private(set) var replicaProcess: Child?
  /// The samples that the stream has confirmed, by sequence number.
  private var acknowledged: [UInt64: Double] = [:]
  private var saverLines = 0

  init(servers: NATSServers, folder: URL, seed: UInt64) throws {
    self.servers = servers
    self.folder = folder
    random = SeededGenerator(seed: seed)
    primaryProxies = try servers.ports.map { try Proxy(to: $0) }
    replicaProxies = try servers.ports.map { try Proxy(to: $0) }
  }

  deinit {
    for proxy in primaryProxies + replicaProxies { proxy.close() }
  }

  private func path(_ name: String) -> String { folder.appending(path: "process-" + name).path }

  private func options(_ proxies: [Proxy]) -> NATSOptions {
    var options = servers.options
    options.servers = proxies.map { "nats://127.0.0.1:\($0.port)" }
    return options
  }

  func startSaver() throws {
    saver = try Child("save", path("a"), options(primaryProxies), in: folder)
    saverLines = 0
  }

  func startReplicaProcess() throws {
    replicaProcess = try Child("replicate", path("b"), options(replicaProxies), in: folder)
  }

  /// Creates stores, runs the events, and checks the stores.
  func run(_ events: [Event]) throws {
    for name in ["a", "b", "c", "backup"] {
      try? FileManager.default.removeItem(atPath: path(name))
    }
    acknowledged = [:]
    let database = try Database(path: path("a"))
    storeID = database.storeID
    try database.commit(database.batch(1, from: 0))
    try database.backup(to: path("backup"))
    try database.close()
    try Replica.make(from: path("backup"), at: path("b"), of: "a")
    _ = try servers.connect(to: storeID)
    try startSaver()
    try startReplicaProcess()
    try goesOn("at first")
    do {
      for event in events {
        try happen(event)
        try goesOn("\(event)")
      }
      try replace()
    } catch {
      for run in (try? runs(in: servers.connect(to: storeID))) ?? [] {
        print("  messages \(run.numbers) of epoch \(run.epoch): commits \(run.commits)")
      }
      throw error
    }
  }

  private typealias Run = (
    numbers: ClosedRange<UInt64>, epoch: UInt32, commits: ClosedRange<UInt64>
  )

  /// Returns the runs of messages of one epoch whose numbers and commits are continuous.
  ///
  /// Asking for the end first reads what only the stream's leader has.
  private func runs(in stream: any StreamTransport) throws -> [Run] {
    var runs: [Run] = []
    var next: UInt64 = 1
    _ = try stream.end()
    while let found = try stream.read(from: next, limit: 1).first {
      next = found.sequence + 1
      guard let message = try Message(found.bytes) else { continue }
      if let run = runs.last, run.epoch == message.writer.epoch,
        run.numbers.upperBound + 1 == found.sequence,
        run.commits.upperBound == message.before.last
      {
        runs[runs.count - 1].numbers = run.numbers.lowerBound...found.sequence
        runs[runs.count - 1].commits = run.commits.lowerBound...message.last
      } else {
        runs.append(
          (found.sequence...found.sequence, message.writer.epoch, message.first...message.last))
      }
    }
    return runs
  }

  private func listen() throws {
    guard let saver else { return }
    try saver.read()
    for line in saver.lines[saverLines...] {
      guard let save = ConfirmedSave(line) else { continue }
      try expect(
        acknowledged[save.sequence] == nil, "\(save.sequence) was acknowledged twice")
      acknowledged[save.sequence] = save.start
    }
    saverLines = saver.lines.count
  }

  /// Reads the saver's output before killing it.
  func killSaver() throws {
    saver?.kill()
    try listen()
  }

  /// Waits for the acknowledgement of saves that began after an event.
  private func goesOn(_ event: String) throws {
    try listen()
    let before = acknowledged.count
    let seconds = try servers.wait(after: event) {
      try listen()
      try saver?.check("the saver, after \(event),")
      try replicaProcess?.check("the replica, after \(event),")
      return acknowledged.count >= before + 20
    }
    print("  \(event): " + String(format: "%.1f", seconds) + " s until 20 saves")
  }

  /// Stops the saver, promotes the replica, saves to it, and resumes the saver.
  private func replace() throws {
    guard let saver, let replicaProcess else { return }
    // Messages in flight arrive after another epoch has begun.
    let mode = [Proxy.Mode.open, .deaf, .mute].randomElement(using: &random) ?? .open
    for proxy in primaryProxies { proxy.mode = mode }
    saver.signal(SIGSTOP)
    replicaProcess.kill()
    let stream = try servers.connect(to: storeID)
    let replica = try Replica(path: path("b"), transport: stream)
    try replica.catchUp()
    try Promotion(replica).finish()
    try replica.close()
    let primary = try Primary.promote(path("b"), transport: stream)
    try closeGap(primary, stream)
    try primary.commit(primary.database.batch(10, from: 1e6), acknowledgement: .replicated)
    for proxy in primaryProxies { proxy.mode = .open }
    saver.signal(SIGCONT)
    try saver.waitForEnd(within: longestWait)
    try listen()
    try expect(
      saver.lines.last == "fenced", "the saver was not fenced: \(saver.lines.suffix(3))")
    try compare(try primary.database.starts, "the new primary")
    try backUp(primary)
    let end = try primary.database.historyEnd
    try primary.close()
    try compareOld(stream, end)
  }

  /// Makes a replica from a backup if the servers have lost messages from the middle of the stream,
  /// and waits until the primary counts its commits as published.
  ///
  /// nats-server 2.9.10 sometimes loses messages on all servers after one of three lost its files.
  private func closeGap(_ primary: Primary, _ stream: any StreamTransport) throws {
    let numbers = try runs(in: stream).map(\.numbers)
    let lost = zip(numbers, numbers.dropFirst()).first { $0.upperBound + 1 < $1.lowerBound }
    guard let lost else { return }
    print("  the servers have lost messages \(lost.0.upperBound + 1)..<\(lost.1.lowerBound)")
    try backUp(primary)
    try Replica.make(from: path("backup"), at: path("c"), of: "b")
    let replica = try Replica(path: path("c"), transport: stream)
    _ = try servers.wait(after: "the gap") {
      _ = try replica.step()
      return primary.metrics().lag == 0
    }
    try replica.close()
  }

  private func backUp(_ primary: Primary) throws {
    try? FileManager.default.removeItem(atPath: path("backup"))
    try primary.database.backup(to: path("backup"))
  }

  private func compare(_ starts: [UInt64: Double], _ name: String) throws {
    for (sequence, start) in acknowledged where starts[sequence] != start {
      throw Breach(
        description: "\(sequence) was acknowledged as \(start) and is "
          + "\(starts[sequence].map { "\($0)" } ?? "lost") in \(name)")
    }
  }

  /// Checks that the old primary rejoins as an equal of the new one.
  private func compareOld(_ stream: any StreamTransport, _ end: HistoryPosition) throws {
    let kept = path("kept")
    try? FileManager.default.removeItem(atPath: kept)
    guard let result = try Replica.rejoin(path("a"), as: "b", transport: stream, keeping: kept)
    else { throw Breach(description: "the old primary finds no other") }
    if result.kept != nil {
      try Replica.make(from: path("backup"), at: path("a"), of: "b")
    }
    let replica = try Replica(path: path("a"), transport: stream)
    try replica.catchUp(to: end.last)
    try compare(try replica.database.starts, "the old one")
    try expect(try replica.database.historyEnd == end, "the copies differ")
    try replica.close()
    print("  \(acknowledged.count) saves through all of it, the copies are equal")
  }
}
