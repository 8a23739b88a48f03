internal import SampleLog

// The sequence of changes that an anchored query delivers.
extension HKAnchoredObjectQueryDescriptor {
  /// A sequence of changes as they happen.
  public struct Results: AsyncSequence, Sendable {
    /// The changes since the previous element, with the anchor after them.
    public typealias Element = Result

    /// The iterator that reads the changes.
    public typealias AsyncIterator = Iterator

    let descriptor: HKAnchoredObjectQueryDescriptor
    let healthStore: HKHealthStore

    /// Returns an independent iterator, which begins at the descriptor's anchor.
    public func makeAsyncIterator() -> Iterator {
      let descriptor = descriptor
      return Iterator(
        feed: DescriptorFeed(healthStore) { reader, notify in
          let plan = try reader.plan(descriptor.predicates)
          let feed = try ChangeFeed(
            reader.store.database, after: descriptor.anchor?.anchor ?? .beginning,
            of: plan.observed, notify: notify)
          let limit = descriptor.limit.flatMap { $0 > 0 ? $0 : nil }
          return DescriptorFeed.Source(feed: feed) { isFirst in
            let changes = try reader.nextChanges(feed, plan, limit: limit)
            return isFirst || changes?.isEmpty == false ? changes : nil
          }
        })
    }

    /// An iterator over the changes.
    ///
    /// Only one task may use it at a time.
    public struct Iterator: AsyncIteratorProtocol {
      let feed: DescriptorFeed<ObjectChanges>

      /// Waits for the next changes.
      ///
      /// - Returns: The next changes, or `nil` after an error was thrown.
      /// - Throws: `CancellationError` as soon as the task is cancelled, or ``HKError``.
      public mutating func next() async throws -> Result? {
        try await feed.next().map { Result($0) }
      }
    }
  }
}
