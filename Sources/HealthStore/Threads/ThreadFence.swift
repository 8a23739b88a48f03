internal import SampleLog

/// A happens-before edge for ThreadSanitizer: work before one `barrier` call precedes work after a
/// later one.
///
/// Swift's runtime and Dispatch already order the threads, but ThreadSanitizer cannot observe it.
/// The lock is therefore compiled in only by `make tsan`.
struct ThreadFence: Sendable {
  #if THREAD_SANITIZER
    private let lock = Locked(())

    func barrier() { lock.barrier() }
  #else
    func barrier() {}
  #endif
}
