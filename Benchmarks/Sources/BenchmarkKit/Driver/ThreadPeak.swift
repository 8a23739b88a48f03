import Dispatch

/// Looks every millisecond how many threads this process has, on a thread of its own.
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

  /// Ends looking; returns the most threads that were seen without the one that looked, and `nil`
  /// where the system does not tell.
  func end() -> Int? {
    ending.signal()
    worker.join()
    return most.count == 0 ? nil : most.count - 1
  }
}

/// Written by one thread and read when that has ended.
private final class Most: @unchecked Sendable {
  var count = 0
}
