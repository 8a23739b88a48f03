import Foundation
import Testing

@testable import SampleLogSimulation

/// A fault that `strace` makes the kernel answer with.
struct Injection: CustomStringConvertible, Sendable {
  /// The system call.
  var call: String
  /// What happens: `error=EIO`, `signal=SIGKILL` and the like.
  var fault: String

  var description: String { "\(call):\(fault)" }

  /// The arguments of `strace` for a fault at the n-th call, or from there on, on a store's files.
  func arguments(at number: Int, onwards: Bool, log: String) -> [String] {
    Calls.options + [
      "-o", log, "-e", "trace=\(call)", "-e",
      "inject=\(call):\(fault):when=\(number)\(onwards ? "+" : "")",
    ]
  }
}

/// Finds out where a program makes which system calls.
enum Calls {
  /// How strace is always called.
  ///
  /// A leak check needs a trace of its own and fails under another.
  static let options = ["-f", "-qq", "-E", "ASAN_OPTIONS=detect_leaks=0"]

  /// The places, among all calls of a kind, of those that a writer makes from opening its store on.
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
