import AppleHealthExport
import Dispatch
import Foundation
internal import SampleLog

/// Notices that the process is asked to end, while it lives.
final class Interruption {
  /// The signal that came last; nil when none did.
  private let last = Locked<Int32?>(nil)
  /// How many more times it is not noticed, which a test wants.
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

  /// Was asked from the start or after some steps, as a test wants it.
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

  /// The same, for other threads.
  var check: @Sendable () -> Bool {
    { [last, blind] in
      guard last.withLock({ $0 != nil }) else { return false }
      return blind.withLock { count in
        count -= 1
        return count < 0
      }
    }
  }

  /// The input at a path, or standard input for `-`, of which no read outlasts the request to end.
  func input(_ path: String) throws -> FileInput {
    try path == "-"
      ? FileInput(.standardInput, isCancelled: check)
      : FileInput(path: path, isCancelled: check)
  }

  /// How a command ends that was interrupted, which says what is done and how to go on.
  func failure(_ done: String, advice: String = "run it again for the rest") -> Failure {
    let isTerminated = last.withLock { $0 } == SIGTERM
    return Failure(
      "Interrupted: \(done); \(advice).",
      status: isTerminated ? .terminated : .interrupted)
  }
}
