public import Foundation
internal import SampleLog

/// A query for the effort ratings of workouts, either once or as they change.
public struct HKWorkoutEffortRelationshipQueryDescriptor: HKAsyncQuery, HKAsyncSequenceQuery,
  Sendable
{
  /// The result of the query.
  public typealias Output = Result

  /// The sequence of relationships as they change.
  public typealias Sequence = Results

  /// The relationships that have changed since an anchor.
  public struct Result: Sendable {
    /// The relationships, in the order of their workouts' start dates.
    public let relationships: [HKWorkoutEffortRelationship]

    /// The anchor from which the next query continues.
    public let newAnchor: HKQueryAnchor
  }

  /// The condition on the workouts, or nil to admit all.
  public var predicate: NSPredicate? {
    get { sent.predicate }
    set { sent.predicate = newValue }
  }
  private var sent: SentPredicate

  /// The anchor to read from, or `nil` for all relationships that have samples.
  public var anchor: HKQueryAnchor?

  /// The selection of samples to return.
  public var option: HKWorkoutEffortRelationshipQueryOptions

  /// Creates a descriptor.
  ///
  /// - Parameters:
  ///   - predicate: The condition on the workouts, or nil to admit all. It does not filter the
  ///     samples of a relationship.
  ///   - anchor: The anchor to read from, or `nil` for all relationships that have samples.
  ///   - option: The selection of samples to return.
  public init(
    predicate: NSPredicate?, anchor: HKQueryAnchor?,
    option: HKWorkoutEffortRelationshipQueryOptions
  ) {
    sent = SentPredicate(predicate)
    self.anchor = anchor
    self.option = option
  }

  /// Reads the relationships that have changed since the anchor.
  ///
  /// - Parameter healthStore: The store to read.
  /// - Returns: The relationships and the new anchor.
  /// - Throws: ``HKError``, or `CancellationError` if the task is cancelled.
  public func result(for healthStore: HKHealthStore) async throws -> Result {
    let found = try await healthStore.reading { try read($0, after: anchor) }
    try Task.checkCancellation()
    return found
  }

  /// Returns an infinite sequence: the relationships that have changed since the anchor, followed
  /// by those that change later.
  ///
  /// The first element is delivered at once. A relationship that has lost its last sample is
  /// reported without samples.
  ///
  /// - Parameter healthStore: The store to read.
  /// - Returns: The sequence of relationships.
  public func results(for healthStore: HKHealthStore) -> Results {
    Results(descriptor: self, healthStore: healthStore)
  }

  private func read(_ reader: StoreReader, after anchor: HKQueryAnchor?) throws -> Result {
    let found = try reader.effortRelationships(predicate, after: anchor, option)
    return Result(relationships: found.relationships, newAnchor: found.anchor)
  }

  /// A sequence of relationships as they change.
  public struct Results: AsyncSequence, Sendable {
    /// The changed relationships, with the anchor after them.
    public typealias Element = Result

    /// The iterator that reads the relationships.
    public typealias AsyncIterator = Iterator

    let descriptor: HKWorkoutEffortRelationshipQueryDescriptor
    let healthStore: HKHealthStore

    /// Returns an independent iterator, which begins at the descriptor's anchor.
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

    /// An iterator over the relationships.
    ///
    /// Only one task may use it at a time.
    public struct Iterator: AsyncIteratorProtocol {
      /// The changed relationships, with the anchor after them.
      public typealias Element = Result

      let feed: DescriptorFeed<Result>

      /// Waits for the next relationships.
      ///
      /// - Returns: The next relationships, or `nil` after an error was thrown.
      /// - Throws: `CancellationError` as soon as the task is cancelled, or ``HKError``.
      public mutating func next() async throws -> Result? { try await feed.next() }
    }
  }
}
