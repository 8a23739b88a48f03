public import Foundation
internal import SampleLog

/// Reads which samples rate the effort of workouts, once or as it changes.
public struct HKWorkoutEffortRelationshipQueryDescriptor: HKAsyncQuery, HKAsyncSequenceQuery,
  @unchecked Sendable
{
  /// What the query returns.
  public typealias Output = Result

  /// The relationships as they change.
  public typealias Sequence = Results

  /// Relationships that have changed since an anchor.
  public struct Result: Sendable {
    /// The relationships, by the start of their workouts.
    public let relationships: [HKWorkoutEffortRelationship]

    /// Where to go on.
    public let newAnchor: HKQueryAnchor
  }

  /// The condition on the workouts, or nil to admit all.
  public var predicate: NSPredicate?

  /// Where to begin; `nil` for all relationships that have samples.
  public var anchor: HKQueryAnchor?

  /// Which samples to return.
  public var option: HKWorkoutEffortRelationshipQueryOptions

  /// Makes a descriptor.
  ///
  /// - Parameters:
  ///   - predicate: The condition on the workouts, or nil to admit all. A relationship has all of
  ///     its samples.
  ///   - anchor: Where to begin; `nil` for all relationships that have samples.
  ///   - option: Which samples to return.
  public init(
    predicate: NSPredicate?, anchor: HKQueryAnchor?,
    option: HKWorkoutEffortRelationshipQueryOptions
  ) {
    self.predicate = predicate
    self.anchor = anchor
    self.option = option
  }

  /// Reads the relationships that have changed since the anchor.
  ///
  /// - Parameter healthStore: The store to read.
  /// - Returns: The relationships and where to go on.
  /// - Throws: ``HKError``; `CancellationError` when the task is cancelled.
  public func result(for healthStore: HKHealthStore) async throws -> Result {
    let found = try await healthStore.reading { try read($0, after: anchor) }
    try Task.checkCancellation()
    return found
  }

  /// Returns the relationships that have changed since the anchor, then those that change, without
  /// end.
  ///
  /// The first element comes at once. A relationship whose last sample went is reported without
  /// samples.
  ///
  /// - Parameter healthStore: The store to read.
  /// - Returns: The relationships.
  public func results(for healthStore: HKHealthStore) -> Results {
    Results(descriptor: self, healthStore: healthStore)
  }

  private func read(_ reader: StoreReader, after anchor: HKQueryAnchor?) throws -> Result {
    let found = try reader.effortRelationships(predicate, after: anchor, option)
    return Result(relationships: found.relationships, newAnchor: found.anchor)
  }

  /// Relationships as they change.
  public struct Results: AsyncSequence, Sendable {
    /// Some relationships and where to go on.
    public typealias Element = Result

    /// What reads the relationships.
    public typealias AsyncIterator = Iterator

    let descriptor: HKWorkoutEffortRelationshipQueryDescriptor
    let healthStore: HKHealthStore

    /// Returns a reader of its own, which begins at the descriptor's anchor.
    public func makeAsyncIterator() -> Iterator {
      let descriptor = descriptor
      return Iterator(
        feed: DescriptorFeed(healthStore) { reader, notify in
          let last = Locked(descriptor.anchor)
          let feed = try ChangeFeed(
            reader.store.database, after: nil, of: SeriesSelection(reader.effortSeries),
            notify: notify)
          return DescriptorFeed.Source(feed: feed) { isFirst in
            let hasChanged = try feed.nextChangedSeries() != nil
            guard hasChanged || isFirst else { return nil }
            let result = try descriptor.read(reader, after: last.withLock { $0 })
            last.withLock { $0 = result.newAnchor }
            return isFirst || !result.relationships.isEmpty ? result : nil
          }
        })
    }

    /// Reads the relationships, from one task at a time.
    public struct Iterator: AsyncIteratorProtocol {
      /// Some relationships and where to go on.
      public typealias Element = Result

      let feed: DescriptorFeed<Result>

      /// Waits for the next relationships.
      ///
      /// - Returns: The relationships; `nil` after an error was thrown, and only then.
      /// - Throws: `CancellationError` as soon as the task is cancelled, or ``HKError``.
      public mutating func next() async throws -> Result? { try await feed.next() }
    }
  }
}
