#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// A value protected by a mutex.
///
/// Uses `pthread_mutex_t` rather than the standard library's `Mutex`, for which ThreadSanitizer
/// reports false races.
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

  /// Calls a function with exclusive access to the value; not reentrant.
  @inline(__always)
  package func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body(&value)
  }

  /// Calls a function with exclusive access to the value; not reentrant.
  ///
  /// For locks that other threads may hold for a long time. If the lock is held, an inline attempt
  /// is refused rather than blocked.
  @inline(__always)
  func withLockInline<Result>(_ body: (inout Value) throws -> Result) throws -> Result {
    if pthread_mutex_trylock(mutex) != 0 { try lockInline() }
    defer { pthread_mutex_unlock(mutex) }
    return try body(&value)
  }

  private func lockInline() throws {
    if InlineWork.isActive {
      // Most holders release the lock after a few hundred instructions.
      for _ in 0..<64 {
        if pthread_mutex_trylock(mutex) == 0 { return }
      }
      throw InlineWork.refusal()
    }
    pthread_mutex_lock(mutex)
  }

  /// Acquires and releases the lock, which orders earlier writes before a later such call.
  package func barrier() {
    pthread_mutex_lock(mutex)
    pthread_mutex_unlock(mutex)
  }
}

/// A mutex with a condition variable.
///
/// Traps if a thread unlocks or waits on a monitor that it does not hold, or locks it twice: the
/// integrity of the log depends on mutual exclusion.
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

  /// Releases the lock and waits for ``broadcast()``; may return spuriously.
  func wait() { check(pthread_cond_wait(condition, mutex)) }

  /// Wakes every waiting thread.
  func broadcast() { pthread_cond_broadcast(condition) }

  /// Releases the lock briefly so that other threads can acquire it.
  func pause() {
    unlock()
    sched_yield()
    lock()
  }
}

/// Yields the processor to other threads.
func yieldProcessor() { sched_yield() }

/// The number of online processors.
let processorCount = max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
