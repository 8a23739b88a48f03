import Foundation
import SampleLog
import SampleLogReplication

/// A replica that falls behind the start of the stream.
///
/// It must report that it needs a backup, have a prefix of the history until then, and follow again
/// after it is restored.
struct SlowReplica {
  let servers: NATSServers
  let folder: URL

  private func path(_ name: String) -> String {
    let path = folder.appending(path: "slow-" + name).path
    try? FileManager.default.removeItem(atPath: path)
    return path
  }

  func run() throws {
    let (a, b, first, second) = (path("a"), path("b"), path("first"), path("second"))
    let original = try Database(path: a)
    let storeID = original.storeID
    try original.commit(original.batch(1, from: 0))
    try original.backup(to: first)
    try original.close()
    try Replica.make(from: first, at: b, of: "a")
    // A small fraction of the saved bytes.
    let stream = try servers.connect(to: storeID, byteLimit: 1 << 20)
    let primary = try Primary(path: a, transport: stream)
    var start = 1.0
    try fill(primary, 2, &start)
    let replica = try Replica(
      path: b, transport: try servers.connect(to: storeID), batchLimit: 1)
    var steps = 0
    do {
      while steps < 10_000 {
        // Reads one message at a time, while more are added than read.
        _ = try replica.step()
        try fill(primary, 5, &start)
        steps += 1
      }
      throw Breach(description: "a replica follows although the stream lacks its next message")
    } catch ReplicationError.needsBackup(let end) {
      try expect(end == replica.database.end, "the replica reports its end as \(end)")
    }
    try comparePrefix(primary.database, replica.database)
    try replica.close()

    try Replica.discard(b)
    try primary.database.backup(to: second)
    try Replica.make(from: second, at: b, of: "a")
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
