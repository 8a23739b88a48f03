internal import SampleLog

/// Shows ThreadSanitizer an order of threads that it cannot see: what one did before `pass` comes
/// before what another does after its own call.
///
/// Swift's runtime and Dispatch order the threads, so only `make tsan` compiles a lock into it.
struct ThreadFence: Sendable {
  #if THREAD_SANITIZER
    private let lock = Locked(())

    func pass() { lock.pass() }
  #else
    func pass() {}
  #endif
}
