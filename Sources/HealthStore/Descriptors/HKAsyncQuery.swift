/// A query with a single result.
public protocol HKAsyncQuery {
  /// The type of the result.
  associatedtype Output

  /// Executes the query and returns its result.
  ///
  /// - Parameter healthStore: The store to query.
  /// - Returns: The result.
  /// - Throws: ``HKError``, or `CancellationError` if the task is cancelled.
  func result(for healthStore: HKHealthStore) async throws -> Output
}
