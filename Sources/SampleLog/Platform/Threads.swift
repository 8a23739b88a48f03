#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// A value that one thread at a time may look at or change.
///
/// The standard library's `Mutex` would do, but ThreadSanitizer cannot see into it and reports
/// races where there are none; it knows `pthread_mutex_t`.
package final class Locked<Value>: @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private var value: Value

  package init(_ value: consuming Value) {
    self.value = value
    pthread_mutex_init(mutex, nil)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  /// Runs a function while no other thread is in another such call; calls must not nest.
  @inline(__always)
  package func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body(&value)
  }

  /// Orders what this thread did before with what another does after its own such call.
  package func pass() {
    pthread_mutex_lock(mutex)
    pthread_mutex_unlock(mutex)
  }
}

/// A lock that threads can wait on until somebody changes what it guards.
///
/// Who gives up or waits on a lock that another holds, or nobody, or takes it twice, traps: all
/// that is written to a log relies on it.
final class Monitor: @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

  init() {
    var attributes = pthread_mutexattr_t()
    pthread_mutexattr_init(&attributes)
    pthread_mutexattr_settype(&attributes, .init(PTHREAD_MUTEX_ERRORCHECK))
    pthread_mutex_init(mutex, &attributes)
    pthread_mutexattr_destroy(&attributes)
    pthread_cond_init(condition, nil)
  }

  deinit {
    pthread_cond_destroy(condition)
    pthread_mutex_destroy(mutex)
    condition.deallocate()
    mutex.deallocate()
  }

  func lock() { check(pthread_mutex_lock(mutex)) }
  func unlock() { check(pthread_mutex_unlock(mutex)) }

  private func check(_ code: Int32) {
    precondition(code == 0, "a thread uses a lock that it does not hold, or takes it twice")
  }

  /// Gives the lock up until ``broadcast()`` is called; may also return without cause.
  func wait() { check(pthread_cond_wait(condition, mutex)) }

  /// Wakes every waiting thread.
  func broadcast() { pthread_cond_broadcast(condition) }

  /// Lets other threads run for a moment, the lock given up meanwhile.
  func pause() {
    unlock()
    sched_yield()
    lock()
  }
}

/// Lets other threads run.
func yieldProcessor() { sched_yield() }

/// How many processors the process may expect to have.
let processorCount = max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
