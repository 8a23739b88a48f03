extension HKAnchoredObjectQueryDescriptor {
  /// Changes as they happen.
  public struct Results: AsyncSequence, Sendable {
    /// Some changes and where to go on.
    public typealias Element = Result

    /// What reads the changes.
    public typealias AsyncIterator = Iterator

    let descriptor: HKAnchoredObjectQueryDescriptor
    let healthStore: HKHealthStore

    /// Returns a reader of its own, which begins at the descriptor's anchor.
    public func makeAsyncIterator() -> Iterator {
      let descriptor = descriptor
      return Iterator(
        feed: DescriptorFeed(healthStore, anchor: descriptor.anchor, limit: descriptor.limit ?? 0) {
          try $0.plan(descriptor.predicates)
        })
    }

    /// Reads the changes, from one task at a time.
    public struct Iterator: AsyncIteratorProtocol {
      let feed: DescriptorFeed

      /// Waits for the next changes.
      ///
      /// - Returns: The changes; `nil` after an error was thrown, and only then.
      /// - Throws: `CancellationError` as soon as the task is cancelled, or ``HKError``.
      public mutating func next() async throws -> Result? {
        try await feed.next().map { Result($0) }
      }
    }
  }
}
