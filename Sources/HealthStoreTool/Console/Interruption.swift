import Dispatch
import Foundation
internal import SampleLog

/// Notices that the process is asked to end, while it lives.
final class Interruption {
  private let asked = DispatchSemaphore(value: 0)
  /// The signal that came last.
  private let last = Locked(SIGINT)
  private let sources: [any DispatchSourceSignal]

  init() {
    var sources: [any DispatchSourceSignal] = []
    for number in [SIGINT, SIGTERM] {
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler { [asked, last] in
        last.withLock { $0 = number }
        asked.signal()
      }
      source.resume()
      sources.append(source)
    }
    self.sources = sources
  }

  deinit {
    for source in sources { source.cancel() }
    signal(SIGINT, SIG_DFL)
    signal(SIGTERM, SIG_DFL)
  }

  /// Waits for a while; returns whether the process was asked to end.
  func wait(seconds: Double) -> Bool {
    asked.wait(timeout: .now() + seconds) == .success
  }

  /// How a command ends that was interrupted, which says what is done.
  func failure(_ done: String) -> Failure {
    let isTerminated = last.withLock { $0 } == SIGTERM
    return Failure(
      "Interrupted: \(done); run it again for the rest.",
      status: isTerminated ? .terminated : .interrupted)
  }
}
