import Dispatch
import Foundation

/// Notices that the process is asked to end, while it lives.
final class Interruption {
  private let asked = DispatchSemaphore(value: 0)
  private let sources: [any DispatchSourceSignal]

  init() {
    var sources: [any DispatchSourceSignal] = []
    for number in [SIGINT, SIGTERM] {
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler { [asked] in asked.signal() }
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
}
