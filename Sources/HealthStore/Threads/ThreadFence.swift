internal import SampleLog

/// Shows ThreadSanitizer an order of threads that it cannot see: the work before one `barrier`
/// comes before the work after another.
///
/// Swift's runtime and Dispatch order the threads, so only `make tsan` compiles a lock into it.
struct ThreadFence: Sendable {
  #if THREAD_SANITIZER
    private let lock = Locked(())

    func barrier() { lock.barrier() }
  #else
    func barrier() {}
  #endif
}
