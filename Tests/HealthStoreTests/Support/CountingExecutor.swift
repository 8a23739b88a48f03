import Dispatch
import SampleLog

/// A single-threaded task executor that counts how often a task begins or resumes.
///
/// A call that suspends its task increases the count by one.
final class CountingExecutor: TaskExecutor {
  private let queue = DispatchQueue(label: "counting")
  private let count = Locked(0)

  /// The number of times that a task began or resumed.
  var turnCount: Int { count.withLock { $0 } }

  func enqueue(_ job: consuming ExecutorJob) {
    count.withLock { $0 += 1 }
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
