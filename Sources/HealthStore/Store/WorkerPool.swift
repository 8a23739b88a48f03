import Foundation

/// Threads for work that may wait for a disk, made on demand.
///
/// Not a concurrent dispatch queue: on Linux that runs no more items at once than there are
/// processors, waiting or not, and savers that wait together must reach the log together to share
/// one write. Nor Swift's own threads, which must never wait.
final class WorkerPool: @unchecked Sendable {
  static let shared = WorkerPool(maximum: 64)

  private let maximum: Int
  private let condition = NSCondition()
  // Guarded by the condition. Jobs before `next` are done.
  private var jobs: [(@Sendable () -> Void)?] = []
  private var next = 0
  private var threads = 0
  private var idle = 0

  /// Never more than so many threads; further work waits for one.
  init(maximum: Int) { self.maximum = maximum }

  /// Runs something on one of the threads, in no particular order.
  func async(_ job: @escaping @Sendable () -> Void) {
    condition.lock()
    jobs.append(job)
    let isShort = jobs.count - next > idle && threads < maximum
    if isShort { threads += 1 }
    condition.signal()
    condition.unlock()
    if isShort { start() }
  }

  private func start() {
    let thread = Thread { self.work() }
    thread.name = "healthstore"
    thread.start()
  }

  private func work() {
    while let job = take() { job() }
  }

  /// The next job; `nil` after half a minute without one, when the thread is to end.
  private func take() -> (@Sendable () -> Void)? {
    condition.lock()
    defer { condition.unlock() }
    while next == jobs.count {
      idle += 1
      let wasSignalled = condition.wait(until: Date(timeIntervalSinceNow: 30))
      idle -= 1
      if !wasSignalled, next == jobs.count {
        threads -= 1
        return nil
      }
    }
    let job = jobs[next]
    jobs[next] = nil
    next += 1
    if next == jobs.count {
      jobs.removeAll(keepingCapacity: true)
      next = 0
    } else if next > 1024, next * 2 > jobs.count {
      jobs.removeFirst(next)
      next = 0
    }
    return job
  }
}
