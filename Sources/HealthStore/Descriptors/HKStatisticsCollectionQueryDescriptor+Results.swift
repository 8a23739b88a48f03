internal import SampleLog

// The sequence of collections that a statistics collection query delivers.
extension HKStatisticsCollectionQueryDescriptor {
  /// A sequence of collections, updated as samples change.
  public struct Results: AsyncSequence, Sendable {
    /// A collection with its updated statistics.
    public typealias Element = Result

    /// The iterator that reads the changes.
    public typealias AsyncIterator = Iterator

    let descriptor: HKStatisticsCollectionQueryDescriptor
    let grid: StatisticsGrid
    let healthStore: HKHealthStore

    /// Returns an independent iterator, which begins with the whole collection.
    public func makeAsyncIterator() -> Iterator {
      Iterator(
        feed: DescriptorFeed(healthStore) { [descriptor, grid] reader, notify in
          let request = try descriptor.request()
          // The feed begins before the collection is computed, so that no change is lost in
          // between.
          let feed = try ChangeFeed(
            reader.store.database, after: nil, of: LiveCollection.selection(request, reader),
            notify: notify)
          let live = Locked<LiveCollection?>(nil)
          return DescriptorFeed.Source(feed: feed) { _ in
            try Self.read(live, feed) { try LiveCollection(request, grid, reader) }
          }
        })
    }

    private static func read(
      _ live: Locked<LiveCollection?>, _ feed: ChangeFeed, begin: () throws -> LiveCollection
    ) throws -> Result? {
      try live.withLock { live in
        guard var current = live else {
          let first = try begin()
          live = first
          return Result(statisticsCollection: first.collection, updatedStatistics: nil)
        }
        // Hold the only reference while the collection is mutated, so that it is not copied.
        live = nil
        defer { live = current }
        guard let changed = try current.update(from: feed), !changed.isEmpty else { return nil }
        let collection = current.collection
        return Result(
          statisticsCollection: collection,
          updatedStatistics: changed.map { collection.statistics(at: $0) })
      }
    }

    /// An iterator over the collections.
    ///
    /// Only one task may use it at a time.
    public struct Iterator: AsyncIteratorProtocol {
      let feed: DescriptorFeed<Result>

      /// Waits for the next collection.
      ///
      /// - Returns: The collection and its changes, or `nil` after an error was thrown.
      /// - Throws: `CancellationError` as soon as the task is cancelled, or ``HKError``.
      public mutating func next() async throws -> Result? { try await feed.next() }
    }
  }
}
