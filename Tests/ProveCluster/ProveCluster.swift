import Foundation
import SampleLogNATS

/// Tests replication with real servers and processes.
@main struct ProveCluster {
  private static let usage = """
    usage: ProveCluster [--rounds N] [--seconds N] [--servers 1,3] [--faults all|copies]
           ProveCluster soak [--minutes N] [--seed N] [--servers 1,3]
           ProveCluster demo [--samples N] [--servers 3]
           ProveCluster figures|acknowledgement|bulk|copies|elections|erasure
                        |handover|security
                        [--rounds N] [--servers 1,3] [--nice N]

      --rounds N      how often a primary is stopped and replaced, with each number of servers (20);
                      how often is measured
      --seconds N     how long processes are stopped and connections cut (3)
      --faults WHICH  all: servers die and are cut off, too (unless given); copies: only primaries
                      and replicas are
      --minutes N     how long random faults happen, with each number of servers (10)
      --seed N        which ones
      --samples N     how many samples flow in the demonstration (518400, a month)
      --servers LIST  numbers of servers to try with (1,3)
      --nice N        how much servers leave processors to others (0)
    """

  private struct Options {
    var rounds = 20
    var seconds = 3.0
    var minutes = 10.0
    var seed = UInt64(Date().timeIntervalSince1970)
    var samples = 30 * 86_400 / 5
    var counts = [1, 3]
    var niceness = 0
    var serversFail = true
  }

  private typealias Work = @Sendable (NATSServers, URL, Options) throws -> Void
  private static let works: [String: Work] = [
    "demo": { servers, folder, options in
      if servers.addresses.count == options.counts.first {
        try SecureTool(folder: folder).run()
        print("the tool uses TLS and keeps secrets")
      }
      try Demo(servers: servers, folder: folder).run(samples: options.samples)
    },
    "security": { _, folder, _ in try SecurityCheck(folder: folder).run() },
    "figures": { servers, folder, _ in try Figures(servers: servers, folder: folder).run() },
    "acknowledgement": { servers, folder, _ in
      try Figures(servers: servers, folder: folder).acknowledgement()
    },
    "bulk": { try BulkLoad(servers: $0, folder: $1).run($2.rounds) },
    "erasure": { servers, folder, _ in try ErasureCheck(servers: servers, folder: folder).run() },
    "copies": { servers, folder, _ in try CopyCheck(servers: servers, folder: folder).run() },
    "handover": { servers, folder, _ in
      try HandoverHistory(servers: servers, folder: folder).run()
    },
    "elections": { try Elections(servers: $0, folder: $1).run($2.rounds) },
    "prove": { try prove($0, $1, $2) },
  ]

  static func main() throws {
    var arguments = CommandLine.arguments.dropFirst()
    if let work = arguments.first, ["save", "replicate"].contains(work), arguments.count > 3 {
      var options = NATSOptions()
      options.replicaCount = Int(arguments[3]) ?? 1
      options.byteLimit = 64 << 20
      options.servers = Array(arguments[4...])
      options.makesStream = work == "save"
      return try work == "save"
        ? Saver.run(arguments[2], options) : ReplicaProcess.run(arguments[2], options)
    }
    let isNamed = arguments.first.map { works[$0] != nil || $0 == "soak" } ?? false
    let work = isNamed ? arguments.removeFirst() : "prove"
    guard let options = options(arguments) else {
      print(usage)
      exit(2)
    }
    guard NATSStream.isBuilt else { return print("Skipped: built without the trait NATS.") }
    guard let executable = NATSServers.executable else {
      return print("Skipped: there is no nats-server, neither in PATH nor named by NATS_SERVER.")
    }
    do {
      for count in options.counts {
        if let work = works[work] {
          let canBeCut = !isNamed && options.serversFail
          try withServers(count, executable, options.niceness, canBeCut: canBeCut) {
            try work($0, $1, options)
          }
        } else {
          try soak(count, executable, options)
        }
      }
    } catch {
      print("FAILED: \(error)")
      exit(1)
    }
  }

  private static func options(_ arguments: ArraySlice<String>) -> Options? {
    var (options, rest) = (Options(), arguments)
    while let name = rest.popFirst() {
      guard let text = rest.popFirst() else { return nil }
      switch name {
      case "--rounds": options.rounds = Int(text) ?? options.rounds
      case "--seconds": options.seconds = Double(text) ?? options.seconds
      case "--minutes": options.minutes = Double(text) ?? options.minutes
      case "--seed": options.seed = UInt64(text) ?? options.seed
      case "--samples": options.samples = Int(text) ?? options.samples
      case "--servers": options.counts = text.split(separator: ",").compactMap { Int($0) }
      case "--faults" where ["all", "copies"].contains(text):
        options.serversFail = text == "all"
      case "--nice": options.niceness = Int(text) ?? options.niceness
      default: return nil
      }
    }
    return options
  }

  /// Runs histories of random faults, each with separate servers.
  private static func soak(_ count: Int, _ executable: String, _ options: Options) throws {
    let end = ContinuousClock.now + .seconds(options.minutes * 60)
    var seed = options.seed
    while ContinuousClock.now < end {
      print("\(count) servers: soak --seed \(seed)")
      try withServers(count, executable, options.niceness) { servers, folder in
        let faults = try ProcessFaults(servers: servers, folder: folder, seed: seed)
        try faults.run(faults.any(8))
      }
      seed += 1
    }
  }

  private static func withServers(
    _ count: Int, _ executable: String, _ niceness: Int, canBeCut: Bool = true,
    _ body: (NATSServers, URL) throws -> Void
  ) throws {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "prove-cluster-\(ProcessInfo.processInfo.processIdentifier)-\(count)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let servers = try NATSServers(
      count, in: folder, executable: executable, niceness: niceness, canBeCut: canBeCut)
    do {
      try body(servers, folder)
    } catch {
      // The folder is removed with its files.
      for number in 0..<count {
        print("Server \(number):")
        let log = (try? servers.log(of: number)) ?? "no log"
        for line in log.split(separator: "\n").suffix(20) { print(line) }
      }
      throw error
    }
  }

  private static func prove(_ servers: NATSServers, _ folder: URL, _ options: Options) throws {
    let count = servers.addresses.count
    let start = ContinuousClock.now
    if count == options.counts.first {
      try SecurityCheck(folder: folder).run()
      print("TLS and credentials are checked, and secrets are kept")
    }
    try TransportCheck(servers: servers).run(restarts: options.serversFail ? 3 : 0)
    print("\(count) servers: the transport keeps its contract")
    try ErasureCheck(servers: servers, folder: folder).run(
      isBrief: !options.serversFail && count > 1)
    try CopyCheck(servers: servers, folder: folder).run()
    try SlowReplica(servers: servers, folder: folder).run()
    if options.serversFail {
      try FaultHistory(servers: servers, folder: folder, seconds: options.seconds).run()
    }
    print("\(count) servers: faults with --seed \(options.seed)")
    let faults = try ProcessFaults(servers: servers, folder: folder, seed: options.seed)
    try faults.run(
      options.serversFail
        ? faults.oneOfEach(seconds: options.seconds)
        : faults.oneOfEachOfCopies(seconds: options.seconds))
    try HandoverHistory(servers: servers, folder: folder).run()
    let zombies = ZombieHistory(servers: servers, folder: folder)
    for round in 0..<options.rounds { try zombies.run(round) }
    let seconds = (ContinuousClock.now - start) / .seconds(1)
    print(
      "\(count) servers: \(options.rounds) primaries stopped, replaced, and fenced; "
        + "\(Int(seconds)) s")
  }
}
