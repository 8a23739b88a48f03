/// A query with a sequence of results.
public protocol HKAsyncSequenceQuery {
  /// The type of the sequence of results.
  associatedtype Sequence: AsyncSequence

  /// Returns the results of the query, which is executed when iteration begins.
  ///
  /// - Parameter healthStore: The store to query.
  /// - Returns: The sequence of results.
  func results(for healthStore: HKHealthStore) -> Sequence
}
