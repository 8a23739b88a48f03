internal import Dispatch

/// Evaluates a function for `0 ..< count` on all processors and returns the results in order.
///
/// If the call is attempted inline, evaluates all elements on the caller's thread.
///
/// - Throws: The error of the lowest index that failed.
package func parallelMap<Value: Sendable>(
  _ count: Int, _ body: @Sendable (Int) throws -> Value
) throws -> [Value] {
  if count <= 1 || InlineWork.isActive { return try (0..<count).map(body) }
  let results = Locked([Result<Value, any Error>?](repeating: nil, count: count))
  DispatchQueue.concurrentPerform(iterations: count) { number in
    let result = Result { try body(number) }
    results.withLock { $0[number] = result }
  }
  return try results.withLock { $0 }.compactMap { try $0?.get() }
}
