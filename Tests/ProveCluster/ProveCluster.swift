import Foundation
import SampleLogNATS

/// Tries replication with real servers and processes.
@main struct ProveCluster {
  private static let usage = """
    usage: ProveCluster [--rounds N] [--servers 1,3]
           ProveCluster demo [--samples N] [--servers 3]
           ProveCluster figures [--servers 1,3]

      --rounds N      how often a primary is stopped and replaced, with each number of servers (20)
      --samples N     how many samples flow in the demonstration (518400, a month)
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
    let work = ["demo", "figures"].contains(arguments.first) ? arguments.removeFirst() : "prove"
    var rounds = 20
    var samples = 30 * 86_400 / 5
    var counts = [1, 3]
    while let name = arguments.popFirst() {
      switch (name, arguments.popFirst()) {
      case ("--rounds", let text?): rounds = Int(text) ?? rounds
      case ("--samples", let text?): samples = Int(text) ?? samples
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
      for count in counts {
        try withServers(count, executable) { servers, folder in
          switch work {
          case "demo": try Demo(servers: servers, folder: folder).run(samples: samples)
          case "figures": try Figures(servers: servers, folder: folder).run()
          default: try prove(servers, folder, rounds)
          }
        }
      }
    } catch {
      print("FAILED: \(error)")
      exit(1)
    }
  }

  private static func withServers(
    _ count: Int, _ executable: String, _ body: (NATSServers, URL) throws -> Void
  ) throws {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "prove-cluster-\(ProcessInfo.processInfo.processIdentifier)-\(count)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try body(try NATSServers(count, in: folder, executable: executable), folder)
  }

  private static func prove(_ servers: NATSServers, _ folder: URL, _ rounds: Int) throws {
    let count = servers.addresses.count
    let start = ContinuousClock.now
    try TransportCheck(servers: servers).run()
    print("\(count) servers: the transport keeps its contract")
    try FaultHistory(servers: servers, folder: folder).run()
    let zombies = ZombieHistory(servers: servers, folder: folder)
    for round in 0..<rounds { try zombies.run(round) }
    let seconds = (ContinuousClock.now - start) / .seconds(1)
    print("\(count) servers: \(rounds) primaries stopped, replaced, and fenced; \(Int(seconds)) s")
  }
}
