import Foundation
import SampleLogSimulation

/// A process that writes to a store through `HKHealthStore` on command.
final class WriterProcess {
  let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  private var rest: [UInt8] = []

  /// Starts the process and waits until it has opened the store.
  init(_ store: String) throws {
    process.executableURL = try BuiltProgram.url("StoreWriter")
    process.arguments = [store]
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    // Otherwise this process would keep the pipe open.
    try output.fileHandleForWriting.close()
    guard answer() == "open" else { throw CocoaError(.fileReadUnknown) }
  }

  deinit { if process.isRunning { end(SIGKILL) } }

  /// Sends a command to the process and returns its answer after the command completes.
  func order(_ line: String) throws -> String {
    try input.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8))
    guard let answer = answer() else { throw CocoaError(.fileReadUnknown) }
    return answer
  }

  /// Saves samples and returns their identifiers.
  func save(_ count: Int) throws -> [UUID] {
    try order("save \(count)").split(separator: " ").compactMap { UUID(uuidString: String($0)) }
  }

  /// Closes the input, on which the process returns from its main function.
  func finish() throws {
    try input.fileHandleForWriting.close()
    process.waitUntilExit()
  }

  /// Makes the process call `exit`.
  func exit() throws {
    try input.fileHandleForWriting.write(contentsOf: Data("exit\n".utf8))
    process.waitUntilExit()
  }

  func end(_ signal: Int32) {
    kill(process.processIdentifier, signal)
    process.waitUntilExit()
  }

  private func answer() -> String? {
    while true {
      if let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
        let line = String(decoding: rest[..<end], as: UTF8.self)
        rest.removeFirst(end + 1)
        return line
      }
      let more = output.fileHandleForReading.availableData
      if more.isEmpty { return nil }
      rest += more
    }
  }
}
