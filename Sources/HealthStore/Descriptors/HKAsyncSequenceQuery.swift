/// A question to a health store with many answers.
public protocol HKAsyncSequenceQuery {
  /// The answers.
  associatedtype Sequence: AsyncSequence

  /// Returns the answers of a store, which is asked when iteration begins.
  ///
  /// - Parameter healthStore: The store to ask.
  /// - Returns: The answers.
  func results(for healthStore: HKHealthStore) -> Sequence
}
