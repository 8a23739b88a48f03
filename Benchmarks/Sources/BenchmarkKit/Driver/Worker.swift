import Foundation

/// A thread that can be joined.
final class Worker {
  private let done = DispatchSemaphore(value: 0)

  init(_ body: @escaping @Sendable () -> Void) {
    let done = done
    let thread = Thread {
      body()
      done.signal()
    }
    thread.stackSize = 1 << 20
    thread.start()
  }

  func join() { done.wait() }
}

/// Passes a value to a thread that is known to use it safely.
struct Shared<Value>: @unchecked Sendable {
  let value: Value

  init(_ value: Value) { self.value = value }
}

/// The first error of several threads.
final class Failure: @unchecked Sendable {
  private let lock = NSLock()
  private var error: (any Error)?

  var isNoted: Bool { lock.withLock { error != nil } }

  func note(_ error: any Error) {
    lock.withLock { if self.error == nil { self.error = error } }
  }

  func rethrow() throws {
    if let error = lock.withLock({ error }) { throw error }
  }
}
