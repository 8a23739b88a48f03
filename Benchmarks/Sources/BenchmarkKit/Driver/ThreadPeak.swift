import Dispatch

/// Samples the number of threads of this process every millisecond, on a thread of its own.
final class ThreadPeak {
  private let ending = DispatchSemaphore(value: 0)
  private let most = Most()
  private let worker: Worker

  init() {
    worker = Worker { [ending, most] in
      repeat {
        most.count = max(most.count, Machine.threadCount() ?? 0)
      } while ending.wait(timeout: .now() + .milliseconds(1)) == .timedOut
    }
  }

  /// Stops sampling.
  ///
  /// Returns the maximum number of threads without the sampling one, or nil if the system does not
  /// report it.
  func end() -> Int? {
    ending.signal()
    worker.join()
    return most.count == 0 ? nil : most.count - 1
  }
}

/// Written by one thread and read after it has ended.
private final class Most: @unchecked Sendable {
  var count = 0
}
