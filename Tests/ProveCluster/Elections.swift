import Foundation
import SampleLog
import SampleLogReplication

/// The duration of a promotion if the stream's leader is killed at its start, and the part of it
/// that the servers need to elect another leader.
struct Elections {
  let servers: NATSServers
  let folder: URL

  func run(_ rounds: Int) throws {
    var (whole, election): ([Double], [Double]) = ([], [])
    for round in 0..<rounds {
      let (time, leading, calls) = try one()
      whole.append(time)
      election.append(leading)
      print(String(format: "  %2d: %.2f s, a leader after %.2f s", round, time, leading))
      for call in calls { print("      \(call)") }
    }
    print(
      String(
        format: "%d servers: promotion through an election: p50 %.1f s, most %.1f s; until there "
          + "is a leader p50 %.1f s, most %.1f s",
        servers.addresses.count, median(whole), whole.max() ?? 0, median(election),
        election.max() ?? 0))
  }

  private func median(_ times: [Double]) -> Double {
    times.isEmpty ? 0 : times.sorted()[times.count / 2]
  }

  private func one() throws -> (Double, Double, [String]) {
    let paths = ["old", "new", "backup"].map { folder.appending(path: "election-" + $0).path }
    for path in paths { try? FileManager.default.removeItem(atPath: path) }
    let original = try Database(path: paths[0])
    try original.commit(original.batch(1000, from: 0))
    try original.backup(to: paths[2])
    let storeID = original.storeID
    try original.close()
    let stream = try servers.connect(to: storeID)
    let old = try Primary(path: paths[0], transport: stream)
    try old.commit(old.database.batch(1000, from: 1e6), acknowledgement: .replicated)
    try Replica.make(from: paths[2], at: paths[1], of: "old")
    let connection = TimedTransport(try servers.connect(to: storeID))
    let replica = try Replica(path: paths[1], transport: connection)
    try replica.catchUp()
    guard let leader = try servers.leader(of: storeID) else {
      throw Breach(description: "no server says that it leads the stream")
    }
    let killed = Date()
    servers.kill(leader.server)
    let start = ContinuousClock.now
    try Promotion(replica).finish(within: 90)
    try replica.close()
    let new = try Primary.promote(paths[1], transport: connection)
    try new.commit(new.database.batch(1, from: 2e6), acknowledgement: .replicated)
    let time = (ContinuousClock.now - start) / .seconds(1)
    try new.close()
    try? old.close()
    let next = try servers.leader(of: storeID)?.since ?? .distantFuture
    try servers.start(leader.server)
    // Waits until the server has caught up: two of three servers cannot elect a leader while one
    // lags.
    pause(10)
    return (time, next.timeIntervalSince(killed), connection.slowCalls)
  }
}
