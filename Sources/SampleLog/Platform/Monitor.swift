#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

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
