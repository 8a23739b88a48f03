import Dispatch
import SampleLog

/// A thread for tasks that counts how often one of them begins or continues on it.
///
/// A call that suspends its task adds one.
final class CountingExecutor: TaskExecutor {
  private let queue = DispatchQueue(label: "counting")
  private let count = Locked(0)

  /// The number of times that a task began or continued.
  var turnCount: Int { count.withLock { $0 } }

  func enqueue(_ job: consuming ExecutorJob) {
    count.withLock { $0 += 1 }
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
