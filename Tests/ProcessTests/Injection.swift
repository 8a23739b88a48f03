import Foundation
import Testing

@testable import SampleLogSimulation

/// A fault that `strace` injects into a system call.
struct Injection: CustomStringConvertible, Sendable {
  /// The system call.
  var call: String
  /// The fault: `error=EIO`, `signal=SIGKILL` and the like.
  var fault: String

  var description: String { "\(call):\(fault)" }

  /// The arguments of `strace` for a fault at the n-th call on a store's files, or from it on.
  func arguments(at number: Int, onwards: Bool, log: String) -> [String] {
    Calls.options + [
      "-o", log, "-e", "trace=\(call)", "-e",
      "inject=\(call):\(fault):when=\(number)\(onwards ? "+" : "")",
    ]
  }
}

/// Counts the system calls of a program.
enum Calls {
  /// The options of every `strace` run.
  ///
  /// The leak check traces the process itself and fails under another tracer.
  static let options = ["-f", "-qq", "-E", "ASAN_OPTIONS=detect_leaks=0"]

  /// The ordinals, among all calls of a kind, of those that a writer makes after it begins to open
  /// its store.
  static func places(_ call: String, strace: URL, operations: Int) throws -> Range<Int> {
    let folder = try Folder()
    let log = folder.path + "/log"
    _ = try WriterRun(
      folder.path + "/store", seed: 1, operations: operations,
      under: (strace, options + ["-y", "-o", log, "-e", "trace=\(call)"]))
    let lines = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n")
      .filter { $0.contains(call + "(") }
    let first = lines.firstIndex { $0.contains(folder.path + "/store") } ?? lines.count
    return first + 1..<lines.count + 1
  }
}
