import Foundation

/// Runs something that blocks on a thread of its own.
///
/// A benchmark blocks its thread until tasks are done. Tests run on the threads of tasks, of which
/// there are as many as processors: two benchmarks at once would wait for each other for good.
func onThread<Value: Sendable>(
  _ body: @escaping @Sendable () throws -> Value
) async throws -> Value {
  try await withCheckedThrowingContinuation { continuation in
    Thread { continuation.resume(with: Result { try body() }) }.start()
  }
}
