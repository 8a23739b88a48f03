internal import SampleLog

extension HKStatisticsCollectionQueryDescriptor {
  /// Collections as samples change.
  public struct Results: AsyncSequence, Sendable {
    /// A collection and what of it is new.
    public typealias Element = Result

    /// What reads the changes.
    public typealias AsyncIterator = Iterator

    let descriptor: HKStatisticsCollectionQueryDescriptor
    let grid: StatisticsGrid
    let healthStore: HKHealthStore

    /// Returns a reader of its own, which begins with the whole collection.
    public func makeAsyncIterator() -> Iterator {
      Iterator(
        feed: DescriptorFeed(healthStore) { [descriptor, grid] reader, notify in
          let request = try descriptor.request()
          // Begun before the collection is computed, so that no change falls between the two.
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
        // Only the one copy may be there while it is changed.
        live = nil
        defer { live = current }
        guard let changed = try current.update(from: feed), !changed.isEmpty else { return nil }
        let collection = current.collection
        return Result(
          statisticsCollection: collection,
          updatedStatistics: changed.map { collection.statistics(at: $0) })
      }
    }

    /// Reads the collections, from one task at a time.
    public struct Iterator: AsyncIteratorProtocol {
      let feed: DescriptorFeed<Result>

      /// Waits for the next collection.
      ///
      /// - Returns: The collection and its changes; `nil` after an error was thrown, and only then.
      /// - Throws: `CancellationError` as soon as the task is cancelled, or ``HKError``.
      public mutating func next() async throws -> Result? { try await feed.next() }
    }
  }
}
