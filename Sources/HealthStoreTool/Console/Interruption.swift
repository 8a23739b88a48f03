import Dispatch
import Foundation
internal import SampleLog

/// Notices that the process is asked to end, while it lives.
final class Interruption {
  /// The signal that came last; nil when none did.
  private let last = Locked<Int32?>(nil)
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

  /// Was asked from the start, as a test wants it.
  init(by number: Int32) { last.withLock { $0 = number } }

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
    { [last] in last.withLock { $0 != nil } }
  }

  /// How a command ends that was interrupted, which says what is done and how to go on.
  func failure(_ done: String, advice: String = "run it again for the rest") -> Failure {
    let isTerminated = last.withLock { $0 } == SIGTERM
    return Failure(
      "Interrupted: \(done); \(advice).",
      status: isTerminated ? .terminated : .interrupted)
  }
}
