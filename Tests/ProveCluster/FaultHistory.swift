import Foundation
import SampleLog
import SampleLogNATS
import SampleLogReplication

/// A primary saves and a replica follows while servers are killed, stopped and lose their files.
///
/// Every acknowledged commit must be in both copies at the end.
///
/// One thread controls the servers; state shared with others is locked.
final class FaultHistory: @unchecked Sendable {
  private let servers: NATSServers
  private let folder: URL
  private let saved = Locked<[UInt64: Double]>([:])
  private let isDone = Locked(false)
  private let problem = Locked<String?>(nil)

  private let seconds: Double

  init(servers: NATSServers, folder: URL, seconds: Double) {
    self.seconds = seconds
    self.servers = servers
    self.folder = folder
  }

  func run() throws {
    let paths = ["faults-a", "faults-b", "faults-backup"].map { folder.appending(path: $0).path }
    let database = try Database(path: paths[0])
    let storeID = database.storeID
    try database.commit(database.batch(1, from: 0))
    try database.backup(to: paths[2])
    try database.close()
    try Replica.make(from: paths[2], at: paths[1], of: "a")
    let primary = try Primary(path: paths[0], transport: try servers.connect(to: storeID))
    let replica = try Replica(path: paths[1], transport: try servers.connect(to: storeID))
    let group = DispatchGroup()
    nonisolated(unsafe) let shared = replica
    DispatchQueue.global().async(group: group) { self.catchUp(shared) }
    DispatchQueue.global().async(group: group) { self.save(primary) }
    do {
      try disturb()
    } catch {
      problem.withLock { $0 = $0 ?? "\(error)" }
    }
    isDone.withLock { $0 = true }
    group.wait()
    if let problem = problem.withLock({ $0 }) { throw Breach(description: problem) }
    try replica.catchUp(to: primary.database.end)
    let acknowledged = saved.withLock { $0 }
    for (name, starts) in [
      ("primary", try primary.database.starts), ("replica", try replica.database.starts),
    ] {
      for (sequence, start) in acknowledged where starts[sequence] != start {
        throw Breach(description: "the \(name) has lost \(sequence)")
      }
    }
    try expect(
      try primary.database.historyEnd == replica.database.historyEnd, "the copies differ")
    print("\(servers.addresses.count) servers: \(acknowledged.count) saves through all of it")
    try primary.close()
    try replica.close()
  }

  private func save(_ primary: Primary) {
    var start = 1.0
    while !isDone.withLock({ $0 }) {
      do {
        let result = try primary.commit(
          primary.database.batch(1, from: start), acknowledgement: .replicated)
        if let sequence = result.sequences?.lowerBound {
          saved.withLock { $0[sequence] = start }
        }
      } catch ReplicationError.notReplicated {
        // The commit is stored and published once the servers work again.
      } catch {
        problem.withLock { $0 = "saving: \(error)" }
        return
      }
      start += 1
    }
  }

  private func catchUp(_ replica: Replica) {
    while !isDone.withLock({ $0 }) {
      do {
        if try replica.step() == .idle { pause(0.002) }
      } catch is NATSError {
        pause(0.02)
      } catch {
        problem.withLock { $0 = "following: \(error)" }
        return
      }
    }
  }

  private func disturb() throws {
    let all = servers.addresses.indices
    try goesOn("at first") {}
    for number in all {
      try goesOn("server \(number) killed") { servers.kill(number) }
      try servers.start(number)
      try goesOn("and started") {}
      try goesOn("server \(number) stopped for a while") {
        servers.signal(number, SIGSTOP)
        pause(seconds)
        servers.signal(number, SIGCONT)
      }
    }
    try goesOn("all killed and started") {
      for number in all { servers.kill(number) }
      pause(0.5)
      for number in all { try servers.start(number) }
    }
    try goesOn("all killed, their files removed, started") {
      for number in all { servers.kill(number) }
      for number in all { try servers.removeFiles(number) }
      for number in all { try servers.start(number) }
    }
  }

  /// Waits for the acknowledgement of saves that began after an event.
  private func goesOn(_ event: String, _ body: () throws -> Void) throws {
    // A single server that was killed stops all progress.
    let isAlone = servers.addresses.count == 1 && event.hasSuffix("killed")
    try body()
    if isAlone { return }
    let before = saved.withLock { $0.count }
    let seconds = try servers.wait(after: event) {
      if let problem = problem.withLock({ $0 }) { throw Breach(description: problem) }
      return saved.withLock { $0.count } >= before + 20
    }
    if seconds > 1 { print("  \(event): \(String(format: "%.1f", seconds)) s until 20 saves") }
  }
}
