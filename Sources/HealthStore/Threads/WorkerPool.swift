import Dispatch
import Foundation

/// A pool of threads for work that may block on disk I/O.
///
/// Threads are started on demand.
///
/// A concurrent dispatch queue does not suffice: on Linux it runs no more items at once than there
/// are processors, even if they block, and writers must reach the log together to share a group
/// commit. Swift's cooperative threads must never block.
///
/// The number of working threads is bounded, to limit memory. A thread that calls a program's
/// handler does not count as working, because the handler may wait for anything, including a job
/// that has not started. If the maximum number of threads exists and no job has started for some
/// milliseconds because they are in handlers, the pool starts more threads (``blocking(_:)``).
/// Handlers that return quickly start no threads. A thread without work exits after half a minute.
///
/// A job that another job submits is left to the submitting thread, which is about to finish.
/// Otherwise an observer's job would wake a thread before the writer whose commit caused it.
final class WorkerPool: @unchecked Sendable {
  static let shared = WorkerPool(maximum: 64)

  private let maximum: Int
  private let condition = NSCondition()
  // Guarded by the condition. Jobs before `next` have started.
  private var jobs: [(@Sendable () -> Void)?] = []
  private var next = 0
  /// The number of threads that run a job and are not in a handler.
  private var working = 0
  /// The number of threads that wait for a job, plus those that were started and have not asked for
  /// one yet.
  private var ready = 0
  private var threads = 0
  /// Whether one of the jobs is left to a working thread, so no thread was woken for it.
  private var holdsJob = false
  /// The number of jobs that have started.
  private var begun = 0
  private var isWatching = false
  /// A queue for the watchdog timer, independent of the pool's threads.
  private let watch = DispatchQueue(label: "healthstore.workers")

  /// The time without a job start after which handlers count as blocked.
  private let watchInterval: DispatchTimeInterval

  /// Creates a pool with at most `maximum` working threads; further jobs wait.
  init(maximum: Int, watchInterval: DispatchTimeInterval = .milliseconds(2)) {
    self.maximum = maximum
    self.watchInterval = watchInterval
  }

  /// The number of threads, including idle ones and those in handlers.
  var threadCount: Int {
    condition.lock()
    defer { condition.unlock() }
    return threads
  }

  /// Runs a job on one of the threads.
  ///
  /// Jobs are not ordered.
  func async(_ job: @escaping @Sendable () -> Void) {
    let isAtWork = pthread_getspecific(Self.key) == Unmanaged.passUnretained(self).toOpaque()
    condition.lock()
    jobs.append(job)
    var missing = 0
    if isAtWork, !holdsJob {
      holdsJob = true
      watchHandlers()
    } else {
      // A woken thread may take the job that was held, so wake one for each.
      missing = summonForBoth()
    }
    condition.unlock()
    for _ in 0..<missing { start() }
  }

  /// Calls a program's handler on the current thread as a blocking section: a pool's thread does
  /// not count as working until the handler returns.
  static func blocking(_ handler: () -> Void) {
    guard let own = pthread_getspecific(key) else { return handler() }
    // A running thread keeps its pool alive.
    let pool = Unmanaged<WorkerPool>.fromOpaque(own).takeUnretainedValue()
    pool.leaveWork()
    pthread_setspecific(key, nil)
    handler()
    pthread_setspecific(key, own)
    pool.returnToWork()
  }

  /// The key of the thread-local pool; faster than the thread's dictionary.
  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    trapUnless(pthread_key_create(&key, nil) == 0, "The system has no room for a thread's data.")
    return key
  }()

  private func leaveWork() {
    condition.lock()
    working -= 1
    let isShort = summon(upTo: maximum)
    condition.unlock()
    if isShort { start() }
  }

  private func returnToWork() {
    condition.lock()
    // The job is nearly finished, so it does not wait for the working count to drop.
    working += 1
    condition.unlock()
  }

  /// Wakes threads for the last job and for the held one; returns the number of threads to start.
  private func summonForBoth() -> Int {
    let wanted = holdsJob ? 2 : 1
    holdsJob = false
    return (0..<wanted).count { _ in summon(upTo: maximum) }
  }

  /// Wakes a thread for a job that may start; returns whether a thread must be started instead.
  ///
  /// If the given number of threads exists, handlers are first given time to return.
  private func summon(upTo most: Int) -> Bool {
    let wanted = min(jobs.count - next - (holdsJob ? 1 : 0), maximum - working)
    guard wanted > 0 else { return false }
    if wanted <= ready {
      condition.signal()
      return false
    }
    guard threads < most else {
      watchHandlers()
      return false
    }
    ready += 1
    threads += 1
    return true
  }

  /// Starts more threads if no job starts for a while although jobs are waiting.
  private func watchHandlers() {
    if isWatching { return }
    isWatching = true
    let before = begun
    watch.asyncAfter(deadline: .now() + watchInterval) { [self] in
      condition.lock()
      isWatching = false
      var count = 0
      if begun > before {
        if jobs.count > next { watchHandlers() }
      } else {
        holdsJob = false
        while count < maximum, summon(upTo: .max) { count += 1 }
      }
      condition.unlock()
      for _ in 0..<count { start() }
    }
  }

  private func start() {
    let thread = Thread { self.work() }
    thread.name = "healthstore"
    thread.start()
  }

  private func work() {
    pthread_setspecific(Self.key, Unmanaged.passUnretained(self).toOpaque())
    defer { pthread_setspecific(Self.key, nil) }
    var isAtWork = false
    while let job = take(isAtWork) {
      job()
      isAtWork = true
    }
  }

  /// Ends the previous job, if any, and returns the next one.
  ///
  /// Returns `nil` after half a minute without a job; the thread then exits.
  private func take(_ isAtWork: Bool) -> (@Sendable () -> Void)? {
    condition.lock()
    defer { condition.unlock() }
    if isAtWork {
      working -= 1
      ready += 1
    }
    while next == jobs.count || working >= maximum {
      let wasSignalled = condition.wait(until: Date(timeIntervalSinceNow: 30))
      if !wasSignalled, next == jobs.count || working >= maximum {
        ready -= 1
        threads -= 1
        return nil
      }
    }
    ready -= 1
    working += 1
    begun += 1
    let job = jobs[next]
    jobs[next] = nil
    next += 1
    if next == jobs.count {
      // The held job is always the last one.
      holdsJob = false
      jobs.removeAll(keepingCapacity: true)
      next = 0
    } else if next > 1024, next * 2 > jobs.count {
      jobs.removeFirst(next)
      next = 0
    }
    return job
  }
}
