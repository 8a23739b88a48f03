import Dispatch
import Foundation

/// Threads for work that may wait for a disk, made on demand.
///
/// Not a concurrent dispatch queue: on Linux that runs no more items at once than there are
/// processors, waiting or not, and savers that wait together must reach the log together to share
/// one write. Nor Swift's own threads, which must never wait.
///
/// The number of threads at work is bounded, for the sake of memory. A thread that calls a
/// program's handler is not at work: the handler may wait for anything, also for work that has not
/// begun. So when there are as many threads as may be at work, and no job has begun for some
/// milliseconds because they are in handlers, others take their place (``lend(_:)``); handlers that
/// return soon raise no threads. Threads without work end after half a minute.
///
/// A job that another job submits is held for the thread that submitted it, which is about to be
/// done: an observer's job would else be woken before the saver whose commit it is about, at the
/// price of a thread's wake-up.
final class WorkerPool: @unchecked Sendable {
  static let shared = WorkerPool(maximum: 64)

  private let maximum: Int
  private let condition = NSCondition()
  // Guarded by the condition. Jobs before `next` are done.
  private var jobs: [(@Sendable () -> Void)?] = []
  private var next = 0
  /// Threads that do a job, without those in a handler.
  private var working = 0
  /// Threads that wait for a job, and those that have been started and will ask for one.
  private var ready = 0
  private var threads = 0
  /// Whether no thread was woken for one of the jobs, because one at work will take it.
  private var holdsJob = false
  /// How many jobs have begun.
  private var begun = 0
  private var isWatching = false
  /// Has a thread of its own to run on, whatever the program does with the others.
  private let watch = DispatchQueue(label: "healthstore.workers")

  /// How long no job must begin until handlers count as waiting.
  private let watchInterval: DispatchTimeInterval

  /// Never more than `maximum` threads at work; further work waits for one.
  init(maximum: Int, watchInterval: DispatchTimeInterval = .milliseconds(2)) {
    self.maximum = maximum
    self.watchInterval = watchInterval
  }

  /// How many threads there are, in handlers and without work as well.
  var threadCount: Int {
    condition.lock()
    defer { condition.unlock() }
    return threads
  }

  /// Runs something on one of the threads, in no particular order.
  func async(_ job: @escaping @Sendable () -> Void) {
    let isAtWork = pthread_getspecific(Self.key) == Unmanaged.passUnretained(self).toOpaque()
    condition.lock()
    jobs.append(job)
    var missing = 0
    if isAtWork, !holdsJob {
      holdsJob = true
      watchHandlers()
    } else {
      // A thread that is woken may take the job that was held, so each gets one.
      missing = summonForBoth()
    }
    condition.unlock()
    for _ in 0..<missing { start() }
  }

  /// Calls a program's handler on the current thread, which does not count as being at work
  /// meanwhile if it is one of a pool's.
  static func lend(_ handler: () -> Void) {
    guard let own = pthread_getspecific(key) else { return handler() }
    // A thread keeps its pool.
    let pool = Unmanaged<WorkerPool>.fromOpaque(own).takeUnretainedValue()
    pool.leaveWork()
    pthread_setspecific(key, nil)
    handler()
    pthread_setspecific(key, own)
    pool.returnToWork()
  }

  /// Under which a thread knows its pool; a thread's dictionary would take longer to ask.
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
    // What is left to do of the job is little, so it does not wait for its turn.
    working += 1
    condition.unlock()
  }

  /// Wakes threads for the last job and the one that is held; returns how many to start instead.
  private func summonForBoth() -> Int {
    let wanted = holdsJob ? 2 : 1
    holdsJob = false
    return (0..<wanted).count { _ in summon(upTo: maximum) }
  }

  /// Wakes a thread for a job that may begin; returns whether one has to be started instead.
  ///
  /// Where there are as many threads as given, handlers are given time to return first.
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

  /// Starts more threads if no job begins for a while although there are some.
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

  /// Ends the job before, if there was one, and returns the next; `nil` after half a minute without
  /// one, when the thread is to end.
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
      // The held one is always the last.
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
