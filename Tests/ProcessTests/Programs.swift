import Foundation
import SampleLogSimulation
import Testing

/// A folder that is removed when the object is released.
final class Folder: Sendable {
  let path: String

  init() throws {
    path = FileManager.default.temporaryDirectory.path + "/process-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}

/// Programs that tests start.
enum Programs {
  /// The development tool, whose subcommand `writer` works on a store until it is killed.
  static func prove() throws -> URL { try BuiltProgram.url("Prove") }

  /// Returns the path of a system program, or nil if it is not installed.
  static func find(_ name: String) -> URL? {
    for folder in (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":") {
      let path = "\(folder)/\(name)"
      if FileManager.default.isExecutableFile(atPath: path) { return URL(fileURLWithPath: path) }
    }
    return nil
  }

  /// Whether these programs were built with the thread sanitizer.
  static var areThreadSanitized: Bool { dlsym(nil, "__tsan_init") != nil }

  /// A number from the environment that lets a soak test try more than a test run.
  static func number(_ name: String, default standard: Int) -> Int {
    ProcessInfo.processInfo.environment[name].flatMap { Int($0) } ?? standard
  }

  /// Runs a program to its end and returns its output and exit status.
  @discardableResult
  static func run(_ program: URL, _ arguments: [String]) throws -> (out: String, status: Int32) {
    let process = Process()
    process.executableURL = program
    process.arguments = arguments
    process.standardInput = FileHandle.nullDevice
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    try pipe.fileHandleForWriting.close()
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (String(decoding: data, as: UTF8.self), process.terminationStatus)
  }
}

/// The output and exit status of a writer.
struct WriterRun {
  var lines: [TortureLine]
  var status: Int32
  var wasKilled: Bool

  /// Lets a writer do a number of operations in a store.
  ///
  /// If `under` names another program, that program starts the writer.
  init(
    _ store: String, seed: UInt64, operations: Int, first: UInt64 = 1,
    under: (program: URL, arguments: [String])? = nil
  ) throws {
    var order = TortureOrder()
    order.seed = seed
    order.first = first
    order.operations = operations
    order.largest = 60
    let writer = try Programs.prove()
    let arguments = ["writer", order.text, store]
    let child = try TortureChild(
      under?.program ?? writer, (under.map { $0.arguments + [writer.path] } ?? []) + arguments)
    lines = child.remainingLines().compactMap { TortureLine($0) }
    child.process.waitUntilExit()
    status = child.process.terminationStatus
    wasKilled = child.process.terminationReason == .uncaughtSignal
  }

  var failures: [TortureLine] {
    lines.filter { if case .failed = $0 { true } else { false } }
  }
}
