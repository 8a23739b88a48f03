import Foundation

/// Runs a blocking function on a thread of its own.
///
/// A benchmark blocks its thread until tasks are done. Tests run on the cooperative threads, one
/// per processor, so two concurrent benchmarks would deadlock.
func onThread<Value: Sendable>(
  _ body: @escaping @Sendable () throws -> Value
) async throws -> Value {
  try await withCheckedThrowingContinuation { continuation in
    Thread { continuation.resume(with: Result { try body() }) }.start()
  }
}
