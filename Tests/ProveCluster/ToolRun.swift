import Foundation

/// A `healthstore` process whose output goes to a file.
final class ToolRun {
  private let process = Process()
  private let output: URL
  let arguments: [String]

  /// Starts the tool, with variables in addition to this process's.
  init(
    _ arguments: [String], in folder: URL, input: URL? = nil, variables: [String: String] = [:]
  ) throws {
    self.arguments = arguments
    output = folder.appending(path: "out-\(UUID().uuidString)")
    try Data().write(to: output)
    process.executableURL = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
      .appending(path: "healthstore")
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(variables) { $1 }
    let handle = try FileHandle(forWritingTo: output)
    process.standardOutput = handle
    process.standardError = handle
    process.standardInput = try input.map { try FileHandle(forReadingFrom: $0) }
    try process.run()
  }

  deinit {
    if process.isRunning { signal(SIGKILL) }
  }

  var isRunning: Bool { process.isRunning }

  func signal(_ number: Int32) { kill(process.processIdentifier, number) }

  /// Waits for the end of the process; an exit status other than the expected one is a breach.
  @discardableResult
  func finish(status expected: Int32 = 0) throws -> String {
    process.waitUntilExit()
    let text = try String(contentsOf: output, encoding: .utf8)
    let (words, status) = (arguments.joined(separator: " "), process.terminationStatus)
    try expect(
      process.terminationReason == .exit && status == expected,
      "healthstore \(words): status \(status)\n\(text)"
    )
    return text
  }

  /// Waits for the end of a process that was killed.
  func finishKilled() {
    signal(SIGKILL)
    process.waitUntilExit()
  }
}
