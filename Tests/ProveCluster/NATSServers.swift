import Foundation
import SampleLog
import SampleLogNATS
import SampleLogReplication

/// NATS servers on this machine, as processes with separate folders.
final class NATSServers {
  private let folder: URL
  private let executable: String
  /// The niceness of the servers, from 0 to 19.
  private let niceness: Int
  let ports: [Int]
  /// Proxies between each server and the servers that connect to it; empty if no fault cuts them.
  private(set) var routeProxies: [Proxy] = []
  private var processes: [Process?]
  /// The scheme of the servers' addresses.
  private let scheme: String
  /// The part of the servers' configuration about TLS and users, for the next start.
  var security: String

  /// The path of nats-server, from the variable NATS_SERVER or PATH, or nil if there is none.
  static var executable: String? {
    let environment = ProcessInfo.processInfo.environment
    let folders =
      (environment["PATH"] ?? "").split(separator: ":") + ["/usr/sbin", "/usr/local/bin"]
    let candidates = [environment["NATS_SERVER"] ?? ""] + folders.map { "\($0)/nats-server" }
    return candidates.first { !$0.isEmpty && FileManager.default.isExecutableFile(atPath: $0) }
  }

  /// Starts servers that store their streams in a folder, with proxies between them if connections
  /// are to be cut.
  init(
    _ count: Int, in folder: URL, executable: String, niceness: Int = 0, canBeCut: Bool = true,
    scheme: String = "nats", security: String = ""
  ) throws {
    self.scheme = scheme
    self.security = security
    self.niceness = niceness
    self.folder = folder
    self.executable = executable
    // Ports below the ephemeral range.
    let base = Int.random(in: 20_000...32_000)
    ports = (0..<count).map { base + 10 * $0 }
    processes = Array(repeating: nil, count: count)
    if count > 1, canBeCut { routeProxies = try ports.map { try Proxy(to: $0 + 1) } }
    for number in 0..<count { try start(number) }
  }

  deinit {
    for number in processes.indices { kill(number) }
    for proxy in routeProxies { proxy.close() }
  }

  func home(_ number: Int) -> URL { folder.appending(path: "nats\(number)") }

  var addresses: [String] { ports.map { "\(scheme)://127.0.0.1:\($0)" } }

  var options: NATSOptions {
    var options = NATSOptions()
    options.servers = addresses
    options.replicaCount = ports.count
    options.makesStream = true
    // Servers reserve this space for each stream.
    options.byteLimit = 64 << 20
    return options
  }

  func start(_ number: Int) throws {
    let home = home(number)
    try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
    var cluster = ""
    if ports.count > 1 {
      let reached = routeProxies.isEmpty ? ports.map { $0 + 1 } : routeProxies.map(\.port)
      let routes = reached.map { "\"nats://127.0.0.1:\($0)\"" }.joined(separator: ", ")
      // Clients know only the given addresses; servers know only proxies, if there are any.
      cluster = """
        cluster {
          name: demo, listen: "127.0.0.1:\(ports[number] + 1)", no_advertise: true
          advertise: "127.0.0.1:\(reached[number])", routes: [\(routes)]
        }

        """
    }
    let configuration = """
      server_name: n\(number)
      listen: "127.0.0.1:\(ports[number])"
      jetstream { store_dir: "\(home.path)" }
      \(security)

      """
    let file = home.appending(path: "server.conf")
    try (configuration + cluster)
      .write(to: file, atomically: true, encoding: .utf8)
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [
      "nice", "-n", String(niceness), executable, "-c", file.path, "-l",
      home.appending(path: "log").path,
    ]
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    processes[number] = process
  }

  /// Kills a server with SIGKILL.
  func kill(_ number: Int) {
    guard let process = processes[number] else { return }
    Foundation.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    processes[number] = nil
  }

  /// Waits until a condition holds that depends on the servers.
  ///
  /// A stream of nats-server 2.9 may stall for ever while one server of three catches up. After a
  /// minute, if a server has logged that, the running servers are restarted, as an operator would.
  ///
  /// - Returns: The waiting time, in seconds.
  func wait(after event: String, until isSo: () throws -> Bool) throws -> Double {
    let start = ContinuousClock.now
    var seconds: Double { (ContinuousClock.now - start) / .seconds(1) }
    var isRestarted = false
    while try !isSo() {
      if seconds > 60, !isRestarted {
        let isStalled = try processes.indices.contains { try log(of: $0).contains("stalled") }
        try expect(isStalled, "no progress for a minute: \(event)")
        print("  \(event): the servers are stuck and are started again")
        let running = processes.indices.filter { processes[$0] != nil }
        for number in running { kill(number) }
        for number in running { try self.start(number) }
        isRestarted = true
      }
      try expect(seconds < longestWait, "no progress: \(event)")
      pause(0.01)
    }
    return seconds
  }

  func signal(_ number: Int, _ signal: Int32) {
    guard let process = processes[number] else { return }
    Foundation.kill(process.processIdentifier, signal)
  }

  /// The processor time of the running servers, in seconds, or 0 without /proc.
  var processorTime: Double {
    processes.reduce(0) { sum, process in
      let file = "/proc/\(process?.processIdentifier ?? 0)/stat"
      guard let text = try? String(contentsOfFile: file, encoding: .utf8) else { return sum }
      let fields = text.split(separator: ")").last?.split(separator: " ") ?? []
      guard fields.count > 12, let user = Double(fields[11]), let system = Double(fields[12])
      else { return sum }
      return sum + (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }
  }

  /// Returns the log of a server.
  func log(of number: Int) throws -> String {
    try String(contentsOf: home(number).appending(path: "log"), encoding: .utf8)
  }

  /// Removes the files of a stopped server.
  func removeFiles(_ number: Int) throws {
    try FileManager.default.removeItem(at: home(number))
  }

  /// Connects to a store's stream and creates it; waits for servers that are starting.
  func connect(
    to storeID: Identifier, byteLimit: Int64 = 64 << 20, answerTimeout: Double = 2
  ) throws -> any StreamTransport {
    var options = options
    options.byteLimit = byteLimit
    options.answerTimeout = answerTimeout
    let deadline = ContinuousClock.now + .seconds(longestWait)
    while true {
      do {
        return try NATSStream.connect(to: storeID, options: options)
      } catch let error as NATSError where error != .notBuilt && ContinuousClock.now < deadline {
        pause(0.05)
      }
    }
  }
}

/// Sleeps between two polls of other processes.
func pause(_ seconds: Double) {
  _ = DispatchSemaphore(value: 0).wait(timeout: .now() + seconds)
}
