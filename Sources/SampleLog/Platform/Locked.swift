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
