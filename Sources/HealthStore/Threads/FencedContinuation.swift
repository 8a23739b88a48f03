/// A continuation whose resumption ThreadSanitizer can order across threads.
struct FencedContinuation<Value: Sendable>: Sendable {
  fileprivate let continuation: CheckedContinuation<Value, any Error>
  fileprivate let fence: ThreadFence

  func resume(with result: Result<Value, any Error>) {
    fence.barrier()
    continuation.resume(with: result)
  }

  func resume(returning value: Value) { resume(with: .success(value)) }

  func resume(throwing error: any Error) { resume(with: .failure(error)) }

  /// Resumes with the arguments of a completion handler.
  func resume(_ value: Value?, _ error: (any Error)?) {
    if let value, error == nil {
      resume(returning: value)
    } else {
      resume(throwing: error ?? HKError(.unknownError))
    }
  }
}

/// Suspends the task until another thread resumes the continuation.
func withFencedContinuation<Value: Sendable>(
  _ body: (FencedContinuation<Value>) -> Void
) async throws -> Value {
  let fence = ThreadFence()
  defer { fence.barrier() }
  return try await withCheckedThrowingContinuation { continuation in
    body(FencedContinuation(continuation: continuation, fence: fence))
  }
}
