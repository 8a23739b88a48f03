import Foundation

/// A `healthstore` process whose output goes to a file.
final class ToolRun {
  private let process = Process()
  private let output: URL
  let arguments: [String]

  init(_ arguments: [String], in folder: URL, input: URL? = nil) throws {
    self.arguments = arguments
    output = folder.appending(path: "out-\(UUID().uuidString)")
    try Data().write(to: output)
    process.executableURL = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
      .appending(path: "healthstore")
    process.arguments = arguments
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

  /// Waits for the end of the process; an exit status other than 0 is a breach.
  @discardableResult
  func finish() throws -> String {
    process.waitUntilExit()
    let text = try String(contentsOf: output, encoding: .utf8)
    let (words, status) = (arguments.joined(separator: " "), process.terminationStatus)
    try expect(
      process.terminationReason == .exit && status == 0,
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
