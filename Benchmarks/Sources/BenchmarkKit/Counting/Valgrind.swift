import Foundation

/// Counts the instructions of a run of this program.
struct Valgrind {
  private let path: String
  /// This program without debug information, which valgrind cannot always read.
  private let program: String

  /// Returns nil if valgrind is not installed.
  init?(scratch: String) throws {
    guard let path = Self.find("valgrind") else { return nil }
    guard let strip = Self.find("strip") else {
      throw BenchmarkError.failed("there is valgrind, but no strip; it is part of binutils.")
    }
    self.path = path
    program = scratch + "/program"
    _ = try Self.run(strip, ["-S", "-o", program, try Child.path()])
  }

  private static func find(_ name: String) -> String? {
    let directories = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    return directories.map { "\($0)/\(name)" }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  /// Returns the number of instructions of this program with the given arguments.
  func instructions(_ arguments: [String]) throws -> Int {
    let log = NSTemporaryDirectory() + "healthstore-counts-\(getpid()).log"
    defer { try? FileManager.default.removeItem(atPath: log) }
    _ = try Self.run(
      path,
      ["--tool=callgrind", "--callgrind-out-file=/dev/null", "--log-file=\(log)", program]
        + arguments)
    let text = try String(contentsOfFile: log, encoding: .utf8)
    guard let line = text.split(separator: "\n").last(where: { $0.contains("Collected :") }),
      let number = line.split(separator: " ").last.flatMap({ Int($0) })
    else { throw BenchmarkError.failed("valgrind reported no instructions: \(text)") }
    return number
  }

  /// Runs a program, this one if `path` is nil, and returns its output.
  static func run(_ path: String?, _ arguments: [String]) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: try path ?? Child.path())
    process.arguments = arguments
    var environment = ProcessInfo.processInfo.environment
    // The order of hash tables must not differ between runs.
    environment["SWIFT_DETERMINISTIC_HASHING"] = "1"
    process.environment = environment
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw BenchmarkError.failed(
        "\(arguments.joined(separator: " ")) ended with \(process.terminationStatus).")
    }
    return String(decoding: data, as: UTF8.self)
  }
}
