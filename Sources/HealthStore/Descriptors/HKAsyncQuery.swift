/// A question to a health store with one answer.
public protocol HKAsyncQuery {
  /// What the answer is.
  associatedtype Output

  /// Asks a store and returns the answer.
  ///
  /// - Parameter healthStore: The store to ask.
  /// - Returns: The answer.
  /// - Throws: ``HKError``, or `CancellationError` when the task is cancelled.
  func result(for healthStore: HKHealthStore) async throws -> Output
}
