import Foundation
import SampleLog
import SampleLogReplication

/// A replica that falls behind the start of the stream.
///
/// It must report that it needs a backup, have a prefix of the history until then, and follow again
/// after it has received a copy. The primary must report that it has given the replica up.
struct SlowReplica {
  let servers: NATSServers
  let folder: URL

  private func path(_ name: String) -> String {
    let path = folder.appending(path: "slow-" + name).path
    try? FileManager.default.removeItem(atPath: path)
    return path
  }

  func run() throws {
    let (a, b, first) = (path("a"), path("b"), path("first"))
    let original = try Database(path: a)
    let storeID = original.storeID
    try original.commit(original.batch(1, from: 0))
    try original.backup(to: first)
    try original.close()
    try Replica.make(from: first, at: b, of: "a")
    // A small fraction of the saved bytes.
    let stream = try servers.connect(to: storeID, byteLimit: 1 << 20)
    let givenUp = Locked([StoreEvent.Kind]())
    var options = Database.Options()
    options.onEvent = { event in
      if case .replicaGivenUp = event.kind { givenUp.withLock { $0.append(event.kind) } }
    }
    let primary = try Primary(path: a, transport: stream, options: options)
    var start = 1.0
    try fill(primary, 2, &start)
    let replica = try Replica(
      path: b, transport: try servers.connect(to: storeID), batchLimit: 1, name: "b")
    var steps = 0
    do {
      while steps < 10_000 {
        // Reads one message at a time, while more are added than read.
        _ = try replica.step()
        primary.check()
        try fill(primary, 5, &start)
        steps += 1
      }
      throw Breach(description: "a replica follows although the stream lacks its next message")
    } catch ReplicationError.needsBackup(let end) {
      try expect(end == replica.database.end, "the replica reports its end as \(end)")
    }
    try comparePrefix(primary.database, replica.database)
    try replica.close()
    let deadline = ContinuousClock.now + .seconds(longestWait)
    while givenUp.withLock({ $0.isEmpty }) {
      primary.check()
      try expect(ContinuousClock.now < deadline, "the primary does not give up the replica")
      pause(0.05)
    }
    let events = givenUp.withLock { $0 }
    guard events.count == 1, case .replicaGivenUp("b", replica.database.end, _) = events[0] else {
      throw Breach(description: "the primary reports \(events)")
    }

    try Replica.receive(
      storeID, at: b, of: "a", transport: try servers.connect(to: storeID), name: "b"
    ) { progress in
      primary.check()
      if progress.isWaiting { pause(0.005) }
    }
    let again = try Replica(path: b, transport: try servers.connect(to: storeID))
    try fill(primary, 2, &start)
    try again.catchUp(to: primary.database.end)
    try expect(try again.database.historyEnd == primary.database.historyEnd, "the copies differ")
    try comparePrefix(primary.database, again.database)
    print(
      "\(servers.addresses.count) servers: a replica slower than the stream needed a backup after "
        + "\(steps) steps, and follows again at \(again.database.end)")
    try again.close()
    try primary.close()
  }

  private func fill(_ primary: Primary, _ commits: Int, _ start: inout Double) throws {
    for _ in 0..<commits {
      try primary.commit(
        primary.database.batch(10_000, from: start), acknowledgement: .replicated)
      start += 10_000
    }
  }

  private func comparePrefix(_ primary: Database, _ replica: Database) throws {
    let (whole, part) = (try primary.starts, try replica.starts)
    let expected = whole.filter { $0.key <= replica.end }
    try expect(part == expected, "the replica has \(part.count) samples of \(expected.count)")
  }
}
