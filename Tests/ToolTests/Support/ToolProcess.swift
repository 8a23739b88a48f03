import Foundation
import SampleLogSimulation
import Testing

/// The result of a run of the program.
struct ToolRun {
  var status: Int32
  var out: String
  var error: String

  var lines: [String] { out.split(separator: "\n").map(String.init) }

  /// Parses a JSON array or JSON lines, and fails the test if an element is not an object.
  func objects() throws -> [[String: Any]] {
    if out.hasPrefix("[") {
      let value = try JSONSerialization.jsonObject(with: Data(out.utf8))
      return try #require(value as? [[String: Any]])
    }
    return try lines.map { line in
      let value = try JSONSerialization.jsonObject(with: Data(line.utf8))
      return try #require(value as? [String: Any])
    }
  }
}

/// Runs the built program in a process of its own.
enum ToolProcess {
  /// The executable.
  static func executable() throws -> URL { try BuiltProgram.url("healthstore") }

  /// Runs the program to its end, with output to a device if one is given.
  static func run(
    _ arguments: [String], input: String = "", device: String? = nil
  ) throws -> ToolRun {
    let folder = try TestFolder()
    // Files need no reader while the program runs, unlike pipes.
    let out = try folder.write("out", "")
    let error = try folder.write("error", "")
    let process = Process()
    process.executableURL = try executable()
    process.arguments = arguments
    process.standardInput = try FileHandle(
      forReadingFrom: URL(fileURLWithPath: folder.write("in", input)))
    process.standardOutput = try FileHandle(
      forWritingTo: URL(fileURLWithPath: device ?? out))
    process.standardError = try FileHandle(forWritingTo: URL(fileURLWithPath: error))
    try process.run()
    process.waitUntilExit()
    return ToolRun(
      status: process.terminationStatus,
      out: try text(out),
      error: try text(error))
  }

  /// Runs a command that copies one directory to another.
  static func copy(_ command: String, _ source: String, _ destination: String) throws -> ToolRun {
    try run(
      command == "restore"
        ? [command, source, "--store", destination] : [command, "--store", source, destination])
  }

  /// Runs a shell command in which `$tool` is the program.
  static func shell(_ line: String, _ variables: [String: String] = [:]) throws -> ToolRun {
    let folder = try TestFolder()
    let out = try folder.write("out", "")
    let error = try folder.write("error", "")
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/bash")
    process.arguments = ["-c", line]
    process.environment = ProcessInfo.processInfo.environment.merging(variables) { $1 }
      .merging(["tool": try executable().path]) { $1 }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = try FileHandle(forWritingTo: URL(fileURLWithPath: out))
    process.standardError = try FileHandle(forWritingTo: URL(fileURLWithPath: error))
    try process.run()
    process.waitUntilExit()
    return ToolRun(
      status: process.terminationStatus, out: try text(out), error: try text(error))
  }

  /// Whether a process has installed a handler for a signal.
  ///
  /// Linux only.
  static func handles(_ signal: Int32, _ process: Process) -> Bool {
    // Foundation leaks its buffer when it reads a file without a size.
    guard let file = fopen("/proc/\(process.processIdentifier)/status", "r") else { return false }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = fread(&bytes, 1, bytes.count, file)
    let text = String(decoding: bytes.prefix(count), as: UTF8.self)
    guard let line = text.split(separator: "\n").first(where: { $0.hasPrefix("SigCgt:") }),
      let mask = UInt64(line.dropFirst(7).drop { $0 == "\t" || $0 == " " }, radix: 16)
    else { return false }
    return mask >> UInt64(signal - 1) & 1 == 1
  }

  /// Reads a file.
  ///
  /// Foundation leaks its buffer when it reads an empty file, which a leak check would report.
  private static func text(_ path: String) throws -> String {
    let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
    return size == 0 ? "" : try String(contentsOfFile: path, encoding: .utf8)
  }
}

/// A running program whose output is read line by line.
final class RunningTool {
  let process = Process()
  private let out = Pipe()
  private var rest: [UInt8] = []

  init(_ arguments: [String]) throws {
    process.executableURL = try ToolProcess.executable()
    process.arguments = arguments
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = out
    process.standardError = FileHandle.nullDevice
    try process.run()
    // Otherwise this process would keep the pipe open.
    try out.fileHandleForWriting.close()
    // A missing line must fail the test instead of blocking it. Under the thread sanitizer, with
    // all tests at once, a task may wait for minutes before it runs.
    DispatchQueue.global().asyncAfter(deadline: .now() + 3600) { [process] in
      if process.isRunning { process.terminate() }
    }
  }

  deinit {
    if process.isRunning { process.terminate() }
  }

  /// Waits for the next line.
  ///
  /// Returns nil when the program has ended.
  func nextLine() -> String? {
    while true {
      if let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
        let line = String(decoding: rest[..<end], as: UTF8.self)
        rest.removeFirst(end + 1)
        return line
      }
      let more = out.fileHandleForReading.availableData
      if more.isEmpty { return nil }
      rest += more
    }
  }

  /// Waits for the next line and parses it as a JSON object.
  func object() throws -> [String: Any] {
    let line = try #require(nextLine())
    let value = try JSONSerialization.jsonObject(with: Data(line.utf8))
    return try #require(value as? [String: Any])
  }

  /// Closes the reading end of the program's output.
  func stopReading() throws { try out.fileHandleForReading.close() }
}
