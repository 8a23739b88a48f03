import Foundation
import SampleLogNATS

/// Tries replication with real servers and processes.
@main struct ProveCluster {
  private static let usage = """
    usage: ProveCluster [--rounds N] [--servers 1,3]

      --rounds N      how often a primary is stopped and replaced, with each number of servers (20)
      --servers LIST  numbers of servers to try with (1,3)
    """

  static func main() throws {
    var arguments = CommandLine.arguments.dropFirst()
    if arguments.first == "save", arguments.count > 3 {
      var options = NATSOptions()
      options.replicaCount = Int(arguments[3]) ?? 1
      options.servers = Array(arguments[4...])
      return try Saver.run(arguments[2], options)
    }
    var rounds = 20
    var counts = [1, 3]
    while let name = arguments.popFirst() {
      switch (name, arguments.popFirst()) {
      case ("--rounds", let text?): rounds = Int(text) ?? rounds
      case ("--servers", let text?): counts = text.split(separator: ",").compactMap { Int($0) }
      default:
        print(usage)
        exit(2)
      }
    }
    guard NATSStream.isBuilt else { return print("Skipped: built without the trait NATS.") }
    guard let executable = NATSServers.executable else {
      return print("Skipped: there is no nats-server, neither in PATH nor named by NATS_SERVER.")
    }
    do {
      for count in counts { try prove(count, rounds, executable) }
    } catch {
      print("FAILED: \(error)")
      exit(1)
    }
  }

  private static func prove(_ count: Int, _ rounds: Int, _ executable: String) throws {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "prove-cluster-\(ProcessInfo.processInfo.processIdentifier)-\(count)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let servers = try NATSServers(count, in: folder, executable: executable)
    let start = ContinuousClock.now
    try TransportCheck(servers: servers).run()
    print("\(count) servers: the transport keeps its contract")
    let zombies = ZombieHistory(servers: servers, folder: folder)
    for round in 0..<rounds { try zombies.run(round) }
    let seconds = (ContinuousClock.now - start) / .seconds(1)
    print("\(count) servers: \(rounds) primaries stopped, replaced, and fenced; \(Int(seconds)) s")
  }
}
