import Foundation
import SampleLog
import SampleLogReplication

/// The cost and speed of replication, compared with a bare publisher of the same bytes.
struct Figures {
  let servers: NATSServers
  let folder: URL
  private var count: Int { servers.addresses.count }

  init(servers: NATSServers, folder: URL) {
    self.servers = servers
    self.folder = folder
  }

  func run() throws {
    try BulkLoad(servers: servers, folder: folder).run()
    try saves()
    try acknowledgement()
    try lag()
    try promotions()
    if count > 1 { try Elections(servers: servers, folder: folder).run(10) }
  }

  private func path(_ name: String) -> String {
    try? FileManager.default.removeItem(atPath: place(name))
    return place(name)
  }

  private func report(_ line: String) { print("\(count) servers: \(line)") }

  private func seconds(_ body: () throws -> Void) rethrows -> Double {
    try ContinuousClock().measure(body) / .seconds(1)
  }

  private func place(_ name: String) -> String { folder.appending(path: "figures-" + name).path }

  private func makeStore(_ name: String) throws -> Identifier {
    let database = try Database(path: path(name))
    defer { try? database.close() }
    return database.storeID
  }

  /// Saves a hundred samples per commit.
  private func saves() throws {
    let storeID = try makeStore("saves")
    let stream = try servers.connect(to: storeID)
    let primary = try Primary(path: place("saves"), transport: stream)
    let alone = try Database(path: path("saves-alone"))
    var times: [String: [Double]] = [:]
    for number in 0..<500 {
      let start = Double(number) * 100
      let (one, other) = (alone.batch(100, from: start), primary.database.batch(100, from: start))
      times["alone", default: []].append(try seconds { try alone.commit(one) })
      times["replicated", default: []].append(
        try seconds { try primary.commit(other, acknowledgement: .replicated) })
    }
    try primary.close()
    try alone.close()
    let (local, replicated) = (median(times["alone"] ?? []), median(times["replicated"] ?? []))
    report(
      String(
        format: "100 samples: p50 %.2f ms local, %.2f ms replicated, %.1f times", local * 1e3,
        replicated * 1e3, replicated / local))
  }

  private func median(_ times: [Double]) -> Double { quantile(times, 0.5) }

  private func quantile(_ times: [Double], _ part: Double) -> Double {
    let sorted = times.sorted()
    return sorted.isEmpty ? 0 : sorted[min(sorted.count - 1, Int(Double(sorted.count) * part))]
  }

  /// Saves one sample per commit, each acknowledged by a replica.
  func acknowledgement() throws {
    let storeID = try makeStore("copies")
    let original = try Database(path: place("copies"))
    try original.backup(to: path("copies-backup"))
    try original.close()
    let replicaPath = path("copies-replica")
    try Replica.make(from: place("copies-backup"), at: replicaPath, of: "a")
    let (stream, other) = (try servers.connect(to: storeID), try servers.connect(to: storeID))
    let hasEnded = Locked(false)
    let thread = Thread {
      guard let replica = try? Replica(path: replicaPath, transport: other, name: "r") else {
        return
      }
      var idle = IdlePause(longest: 0.016)
      while !hasEnded.withLock({ $0 }), let step = try? replica.step() {
        pause(idle.next(isIdle: step == .idle))
      }
      try? replica.close()
    }
    thread.start()
    let primary = try Primary(path: place("copies"), transport: stream)
    let times = try (0..<500).map { number in
      try seconds {
        try primary.commit(
          primary.database.batch(1, from: Double(number)), acknowledgement: .copies(1))
      }
    }
    hasEnded.withLock { $0 = true }
    try primary.close()
    report(
      String(
        format: "one sample, on a replica's disk: p50 %.2f ms, p99 %.2f ms, %.0f saves/s",
        median(times) * 1e3, quantile(times, 0.99) * 1e3, 500 / times.reduce(0, +)))
  }

  /// Saves 100,000 samples a second in commits of 1,000, for five seconds.
  private func lag() throws {
    let original = try Database(path: path("lag"))
    let storeID = original.storeID
    try original.commit(original.batch(1, from: 0))
    try original.backup(to: path("lag-backup"))
    try original.close()
    let replicaPath = path("lag-replica")
    try Replica.make(
      from: place("lag-backup"), at: replicaPath, of: "a")
    let stream = try servers.connect(to: storeID)
    let primary = try Primary(path: place("lag"), transport: stream)
    let savedAt = Locked<[UInt64: ContinuousClock.Instant]>([:])
    let commits = 500
    let last = UInt64(1 + commits * 1000)
    let saver = Thread {
      let start = ContinuousClock.now
      for number in 0..<commits {
        let due = start + .milliseconds(10 * number)
        let rest = (due - ContinuousClock.now) / .seconds(1)
        if rest > 0 { pause(rest) }
        let batch = primary.database.batch(1000, from: Double(number + 1) * 1e3)
        guard let result = try? primary.commit(batch), let end = result.sequences?.upperBound
        else { return }
        let now = ContinuousClock.now
        savedAt.withLock { $0[end] = now }
      }
    }
    saver.start()
    let replica = try Replica(path: replicaPath, transport: try servers.connect(to: storeID))
    var seen: [(end: UInt64, time: ContinuousClock.Instant)] = []
    let deadline = ContinuousClock.now + .seconds(60)
    while replica.database.end < last {
      try expect(ContinuousClock.now < deadline, "the replica is stuck at \(replica.database.end)")
      if try replica.step() == .idle { pause(0.001) }
      let end = replica.database.end
      if seen.last?.end != end { seen.append((end, .now)) }
    }
    try primary.close()
    let saved = savedAt.withLock { $0 }
    let lags = saved.compactMap { end, time in
      seen.first { $0.end >= end }.map { max(0, ($0.time - time) / .milliseconds(1)) }
    }
    report(
      String(
        format: "lag at 100,000 samples/s: p50 %.1f ms, p99 %.1f ms, most %.1f ms",
        quantile(lags, 0.5), quantile(lags, 0.99), lags.max() ?? 0))
  }

  /// Measures the time from the end of the lease to the first replicated save, ten times.
  private func promotions() throws {
    let times = try (0..<10).map { _ in try promotion() }
    report(
      String(
        format: "promotion until the first replicated save: p50 %.0f ms, most %.0f ms",
        median(times) * 1e3, (times.max() ?? 0) * 1e3))
  }

  private func promotion() throws -> Double {
    let original = try Database(path: path("old"))
    try original.commit(original.batch(1000, from: 0))
    try original.backup(to: path("old-backup"))
    let storeID = original.storeID
    try original.close()
    let stream = try servers.connect(to: storeID)
    let oldPath = place("old")
    let old = try Primary(path: oldPath, transport: stream)
    try old.commit(old.database.batch(1000, from: 1e6), acknowledgement: .replicated)
    let newPath = path("new")
    try Replica.make(
      from: place("old-backup"), at: newPath, of: "old")
    let replica = try Replica(path: newPath, transport: stream)
    try replica.catchUp()
    let time = try seconds {
      try Promotion(replica).finish()
      try replica.close()
      let new = try Primary.promote(newPath, transport: stream)
      try new.commit(new.database.batch(1, from: 2e6), acknowledgement: .replicated)
      try new.close()
    }
    try? old.close()
    return time
  }
}
