#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// A lock that threads can wait on until somebody changes what it guards.
final class Monitor: @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

  init() {
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(condition, nil)
  }

  deinit {
    pthread_cond_destroy(condition)
    pthread_mutex_destroy(mutex)
    condition.deallocate()
    mutex.deallocate()
  }

  func lock() { pthread_mutex_lock(mutex) }
  func unlock() { pthread_mutex_unlock(mutex) }

  /// Gives the lock up until ``broadcast()`` is called; may also return without cause.
  func wait() { pthread_cond_wait(condition, mutex) }

  /// Wakes every waiting thread.
  func broadcast() { pthread_cond_broadcast(condition) }

  /// Lets other threads run for a moment, the lock given up meanwhile.
  func pause() {
    unlock()
    sched_yield()
    lock()
  }
}
