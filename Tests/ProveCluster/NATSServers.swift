import Foundation
import SampleLog
import SampleLogNATS
import SampleLogReplication

/// NATS servers on this machine, as processes, with folders of their own.
final class NATSServers {
  private let folder: URL
  private let executable: String
  private let ports: [Int]
  private var processes: [Process?]

  /// The program, where there is one: what the variable NATS_SERVER names, or one in the path.
  static var executable: String? {
    let environment = ProcessInfo.processInfo.environment
    let folders =
      (environment["PATH"] ?? "").split(separator: ":") + ["/usr/sbin", "/usr/local/bin"]
    let candidates = [environment["NATS_SERVER"] ?? ""] + folders.map { "\($0)/nats-server" }
    return candidates.first { !$0.isEmpty && FileManager.default.isExecutableFile(atPath: $0) }
  }

  /// Starts servers that keep their streams in a folder.
  init(_ count: Int, in folder: URL, executable: String) throws {
    self.folder = folder
    self.executable = executable
    let base = Int.random(in: 20_000...40_000)
    ports = (0..<count).map { base + 10 * $0 }
    processes = Array(repeating: nil, count: count)
    for number in 0..<count { try start(number) }
  }

  deinit { for number in processes.indices { kill(number) } }

  var addresses: [String] { ports.map { "nats://127.0.0.1:\($0)" } }

  var options: NATSOptions {
    var options = NATSOptions()
    options.servers = addresses
    options.replicaCount = ports.count
    options.makesStream = true
    // Servers reserve it for each stream.
    options.byteLimit = 64 << 20
    return options
  }

  func start(_ number: Int) throws {
    let home = folder.appending(path: "nats\(number)")
    try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
    let routes = ports.map { "\"nats://127.0.0.1:\($0 + 1)\"" }.joined(separator: ", ")
    let cluster = """
      cluster { name: demo, listen: "127.0.0.1:\(ports[number] + 1)", routes: [\(routes)] }

      """
    let configuration = """
      server_name: n\(number)
      listen: "127.0.0.1:\(ports[number])"
      jetstream { store_dir: "\(home.path)" }

      """
    let file = home.appending(path: "server.conf")
    try (configuration + (ports.count > 1 ? cluster : ""))
      .write(to: file, atomically: true, encoding: .utf8)
    let process = Process()
    process.executableURL = URL(filePath: executable)
    process.arguments = ["-c", file.path, "-l", home.appending(path: "log").path]
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

  func signal(_ number: Int, _ signal: Int32) {
    guard let process = processes[number] else { return }
    Foundation.kill(process.processIdentifier, signal)
  }

  /// Removes what a server that is not running has on its disk.
  func removeFiles(_ number: Int) throws {
    try FileManager.default.removeItem(at: folder.appending(path: "nats\(number)"))
  }

  /// Connects to the stream of a store, which is made; waits for servers that are starting.
  func connect(to storeID: Identifier) throws -> any StreamTransport {
    let deadline = ContinuousClock.now + .seconds(30)
    while true {
      do {
        return try NATSStream.connect(to: storeID, options: options)
      } catch let error as NATSError where error != .notBuilt && ContinuousClock.now < deadline {
        pause(0.05)
      }
    }
  }
}

/// Rests between two looks at other processes.
func pause(_ seconds: Double) {
  _ = DispatchSemaphore(value: 0).wait(timeout: .now() + seconds)
}
