import Foundation

/// The parts of a scenario that run in a separate process: this program, called by itself.
enum Child {
  /// The number of samples that a process saves before it is killed.
  static let fillCount = 100_000

  /// The costs of opening a store.
  struct Opening: Codable {
    var open: Double
    var read: Double
    var digest: Digest
  }

  /// The results of one scenario.
  struct Outcome: Codable {
    var measurements: [Measurement]
    var state: PeerSession.State
    var peakBytes: Int
  }

  // MARK: Calls of the parent

  /// Opens a closed store in a new process and reads the newest glucose sample.
  static func open(_ session: PeerSession) throws -> Opening {
    try decode(try run(["--child", "open", session.kind.name] + arguments(session.plan)))
  }

  /// Saves ``fillCount`` samples to a closed store, in a process that then kills itself.
  static func fillAndKill(_ session: PeerSession) throws {
    let first = "\(session.state.nextSequence)"
    try run(
      ["--child", "fill", session.kind.name, first] + arguments(session.plan), isKilled: true)
  }

  /// Runs a whole scenario in a new process, to measure its memory.
  static func run(_ scenario: Scenario, _ session: PeerSession) throws -> Outcome {
    let state = String(decoding: try JSONEncoder().encode(session.state), as: UTF8.self)
    return try decode(
      try run(
        ["--child", "scenario", session.kind.name, scenario.rawValue, state]
          + arguments(session.plan)))
  }

  private static func arguments(_ plan: PeerSession.Plan) -> [String] {
    [
      "--samples", "\(plan.samples)", "--repeat", "\(plan.repetitions)",
      "--order", plan.loadOrder.order.rawValue, "--subjects", "\(plan.loadOrder.subjects)",
      "--dealing", plan.loadOrder.dealing.rawValue,
      "--observers", plan.observers.map(String.init).joined(separator: ","),
      "--people", plan.subjectCounts.map(String.init).joined(separator: ","),
      "--tasks", plan.tasks.map(String.init).joined(separator: ","),
      "--directory", plan.directory,
    ] + (plan.memoryLimit.map { ["--memory-limit", "\($0 / 1_000_000)"] } ?? [])
  }

  @discardableResult
  private static func run(_ arguments: [String], isKilled: Bool = false) throws -> Data {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: try path())
    process.arguments = arguments
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    let wasKilled =
      process.terminationReason == .uncaughtSignal && process.terminationStatus == SIGKILL
    guard isKilled ? wasKilled : process.terminationStatus == 0 else {
      throw BenchmarkError.failed(
        "the process for \(arguments.prefix(4).joined(separator: " ")) ended with "
          + "\(process.terminationStatus).")
    }
    return data
  }

  static func path() throws -> String {
    let path = "/proc/self/exe"
    if let target = try? FileManager.default.destinationOfSymbolicLink(atPath: path) {
      return target
    }
    guard let path = Bundle.main.executablePath else {
      throw BenchmarkError.failed("this program does not know where it is.")
    }
    return path
  }

  private static func decode<Value: Decodable>(_ data: Data) throws -> Value {
    try JSONDecoder().decode(Value.self, from: data)
  }
}
