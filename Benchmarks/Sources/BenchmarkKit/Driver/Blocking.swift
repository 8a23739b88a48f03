import Foundation

/// Runs an asynchronous function and blocks until it returns.
///
/// Must not be called by an asynchronous function.
func blocking<Result>(_ body: @escaping () async throws -> Result) throws -> Result {
  let answer = Answer<Result>()
  let done = DispatchSemaphore(value: 0)
  let work = Shared(body)
  Task.detached {
    do {
      answer.result = .success(try await work.value())
    } catch {
      answer.result = .failure(error)
    }
    done.signal()
  }
  done.wait()
  guard let result = answer.result else { throw BenchmarkError.failed("no answer came.") }
  return try result.get()
}

/// Written before the semaphore is signalled and read after the wait.
private final class Answer<Value>: @unchecked Sendable {
  var result: Result<Value, any Error>?
}
