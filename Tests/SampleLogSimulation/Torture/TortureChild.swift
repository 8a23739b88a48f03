package import Foundation

/// A writer in a child process, whose output is read through a pipe.
package final class TortureChild {
  package let process = Process()
  private let pipe = Pipe()
  private var rest: [UInt8] = []
  private var isAtEnd = false

  /// Starts a program that writes ``TortureLine``s to its standard output.
  package init(_ executable: URL, _ arguments: [String]) throws {
    process.executableURL = executable
    process.arguments = arguments
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = pipe
    try process.run()
    // Closes this process's copy of the write end; otherwise the pipe never reports end of file.
    try pipe.fileHandleForWriting.close()
  }

  deinit { if process.isRunning { end() } }

  /// Returns the unread lines.
  ///
  /// Waits at most the given time for the first one.
  ///
  /// - Returns: The lines, or nil if the writer has ended and all lines were read.
  package func lines(waiting milliseconds: Int = 0) -> [String]? {
    if isAtEnd { return nil }
    var wait = milliseconds
    let descriptor = pipe.fileHandleForReading.fileDescriptor
    while true {
      var state = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&state, 1, Int32(wait)) > 0 else { break }
      wait = 0
      let more = pipe.fileHandleForReading.availableData
      if more.isEmpty {
        isAtEnd = true
        break
      }
      rest += more
    }
    guard let last = rest.lastIndex(of: UInt8(ascii: "\n")) else { return isAtEnd ? nil : [] }
    // A line that was truncated by the end of the process is ignored.
    let text = String(decoding: rest[..<last], as: UTF8.self)
    rest.removeFirst(last + 1)
    return text.split(separator: "\n").map(String.init)
  }

  /// Returns all remaining lines until the writer ends.
  package func remainingLines() -> [String] {
    var all: [String] = []
    while let lines = lines(waiting: 60_000) { all += lines }
    return all
  }

  /// Kills the writer.
  package func end() {
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }
}
