import AppleHealthExport
import Dispatch
import Foundation
internal import SampleLog

/// Catches SIGINT and SIGTERM during its lifetime.
final class Interruption {
  /// The latest signal, or nil if there was none.
  private let last = Locked<Int32?>(nil)
  /// The number of checks that still ignore the signal; used by tests.
  private let blind = Locked(0)
  private var sources: [any DispatchSourceSignal] = []

  init() {
    for number in [SIGINT, SIGTERM] {
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler { [last] in last.withLock { $0 = number } }
      source.resume()
      sources.append(source)
    }
  }

  /// Creates an interruption that takes effect after a number of checks, for tests.
  init(by number: Int32, afterSteps count: Int = 0) {
    last.withLock { $0 = number }
    blind.withLock { $0 = count }
  }

  deinit {
    if sources.isEmpty { return }
    for source in sources { source.cancel() }
    signal(SIGINT, SIG_DFL)
    signal(SIGTERM, SIG_DFL)
  }

  /// Whether the process was asked to end.
  var isAsked: Bool { check() }

  /// A function that returns ``isAsked`` on any thread.
  var check: @Sendable () -> Bool {
    { [last, blind] in
      guard last.withLock({ $0 != nil }) else { return false }
      return blind.withLock { count in
        count -= 1
        return count < 0
      }
    }
  }

  /// Opens the file at a path, or standard input for `-`; the request to end cancels its reads.
  func input(_ path: String) throws -> FileInput {
    try path == "-"
      ? FileInput(.standardInput, isCancelled: check)
      : FileInput(path: path, isCancelled: check)
  }

  /// Returns the failure of an interrupted command, which states the completed work and how to
  /// continue.
  func failure(_ done: String, advice: String = "run it again for the rest") -> Failure {
    let isTerminated = last.withLock { $0 } == SIGTERM
    return Failure(
      "Interrupted: \(done); \(advice).",
      status: isTerminated ? .terminated : .interrupted)
  }
}
