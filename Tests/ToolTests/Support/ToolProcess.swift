import Foundation
import SampleLogSimulation
import Testing

/// How a run of the program ended.
struct ToolRun {
  var status: Int32
  var out: String
  var error: String

  var lines: [String] { out.split(separator: "\n").map(String.init) }

  /// The elements of an array of JSON, or the lines as objects; fails the test when one is none.
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

/// The built program, as a process of its own.
enum ToolProcess {
  /// The executable.
  static func executable() throws -> URL { try BuiltProgram.url("healthstore") }

  /// Runs the program to its end; its output goes to a device, if one is named.
  static func run(
    _ arguments: [String], input: String = "", device: String? = nil
  ) throws -> ToolRun {
    let folder = try TestFolder()
    // Files and no pipes, which would have to be emptied while the program runs.
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

  /// Runs the command that makes a directory of another.
  static func copy(_ command: String, _ source: String, _ destination: String) throws -> ToolRun {
    try run(
      command == "restore"
        ? [command, source, "--store", destination] : [command, "--store", source, destination])
  }

  /// Runs a line of shell in which `$tool` is the program.
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

  /// Whether a process of Linux handles a signal by now.
  static func handles(_ signal: Int32, _ process: Process) -> Bool {
    // Foundation would lose its buffer: the file has no size.
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

  /// What a file says.
  ///
  /// Foundation loses its buffer when it reads an empty one, which a leak check would find.
  private static func text(_ path: String) throws -> String {
    let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
    return size == 0 ? "" : try String(contentsOfFile: path, encoding: .utf8)
  }
}

/// A run that goes on, read line by line.
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
    // Or else this process would keep the pipe open by itself.
    try out.fileHandleForWriting.close()
    // A line that never comes must fail the test rather than hang it. Under the thread sanitizer,
    // with all tests at once, a task may wait for minutes until its turn comes.
    DispatchQueue.global().asyncAfter(deadline: .now() + 900) { [process] in
      if process.isRunning { process.terminate() }
    }
  }

  deinit {
    if process.isRunning { process.terminate() }
  }

  /// Waits for the next line; nil when the program has ended.
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

  /// Waits for the next line, as an object of JSON.
  func object() throws -> [String: Any] {
    let line = try #require(nextLine())
    let value = try JSONSerialization.jsonObject(with: Data(line.utf8))
    return try #require(value as? [String: Any])
  }

  /// Closes the reading end of the program's output.
  func stopReading() throws { try out.fileHandleForReading.close() }
}
