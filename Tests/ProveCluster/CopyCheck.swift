import Foundation
import SampleLog
import SampleLogReplication

/// New replicas that receive copies through real servers while the primary saves.
struct CopyCheck {
  private struct Ended: Error {}

  let servers: NATSServers
  let folder: URL

  private func path(_ name: String) -> String { folder.appending(path: "copy-" + name).path }

  func run() throws {
    let original = try Database(path: path("a"))
    let storeID = original.storeID
    try original.close()
    let primary = try Primary(path: path("a"), transport: try servers.connect(to: storeID))
    var start = 1.0
    func save(_ count: Int) throws {
      try primary.commit(
        primary.database.batch(count, from: start), acknowledgement: .replicated)
      start += Double(count)
    }
    for _ in 0..<30 { try save(10_000) }
    try primary.database.seal()
    for _ in 0..<5 { try save(10_000) }

    // Without a replica, the primary answers.
    try receive("b", storeID) { progress in
      primary.check()
      if !progress.isWaiting { try save(10) }
    }
    let b = try Replica(path: path("b"), transport: try servers.connect(to: storeID), name: "b")
    try b.catchUp(to: primary.database.end)

    // The replica answers; the first transfer is abandoned.
    do {
      try receive("c", storeID) { progress in
        _ = try? b.step()
        if progress.byteCount.map({ progress.received * 2 > $0 }) == true { throw Ended() }
      }
      throw Breach(description: "an abandoned transfer made a replica")
    } catch is Ended {
      let left = try FileManager.default.contentsOfDirectory(atPath: path("c"))
      try expect(left == ["LOCK"], "an abandoned transfer left \(left)")
    }
    var byteCount: UInt64 = 0
    let began = ContinuousClock.now
    try receive("c", storeID) { progress in
      byteCount = progress.byteCount ?? 0
      _ = try? b.step()
      if !progress.isWaiting { try save(10) }
    }
    let seconds = (ContinuousClock.now - began) / .seconds(1)
    let c = try Replica(path: path("c"), transport: try servers.connect(to: storeID), name: "c")
    try save(10)
    for replica in [b, c] {
      try replica.catchUp(to: primary.database.end)
      try expect(
        try replica.database.historyEnd == primary.database.historyEnd, "the copies differ")
      try expect(
        try replica.database.starts == primary.database.starts, "the copies' samples differ")
    }
    print(
      "\(servers.addresses.count) servers: replicas received copies from a primary and from a "
        + "replica, \(byteCount) bytes in \((seconds * 100).rounded() / 100) s")
    try b.close()
    try c.close()
    try primary.close()
  }

  private func receive(
    _ name: String, _ storeID: Identifier, _ onProgress: (CopyProgress) throws -> Void
  ) throws {
    try Replica.receive(
      storeID, at: path(name), of: "a", transport: try servers.connect(to: storeID), name: name
    ) { progress in
      try onProgress(progress)
      if progress.isWaiting { pause(0.005) }
    }
  }
}
