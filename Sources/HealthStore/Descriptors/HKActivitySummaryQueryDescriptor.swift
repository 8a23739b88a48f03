public import Foundation
internal import SampleLog

/// Reads activity summaries, once or as they change.
///
/// As ``HKActivitySummaryQuery`` does.
public struct HKActivitySummaryQueryDescriptor: HKAsyncQuery, HKAsyncSequenceQuery,
  @unchecked Sendable
{
  /// What the query returns.
  public typealias Output = [HKActivitySummary]

  /// The summaries as they change.
  public typealias Sequence = Results

  /// What summaries must satisfy; `nil` admits all.
  public var predicate: NSPredicate?

  /// Makes a descriptor.
  ///
  /// - Parameter predicate: What summaries must satisfy; `nil` admits all.
  public init(predicate: NSPredicate?) { self.predicate = predicate }

  /// Computes the summaries.
  ///
  /// - Parameter healthStore: The store to read.
  /// - Returns: The summaries in the order of their days; none is an empty array.
  /// - Throws: ``HKError`` when the store cannot be read, `CancellationError` when the task is
  ///   cancelled.
  public func result(for healthStore: HKHealthStore) async throws -> [HKActivitySummary] {
    let live = try await healthStore.reading { reader in
      try LiveActivitySummaries(
        SampleCondition(predicate), calendar: reader.calendar, reader)
    }
    try Task.checkCancellation()
    return live.summaries
  }

  /// Returns the summaries, then those that have changed whenever some have, without end.
  ///
  /// The first element comes at once, even without summaries. Each iterator reads for itself.
  ///
  /// - Parameter healthStore: The store to read.
  /// - Returns: The summaries.
  public func results(for healthStore: HKHealthStore) -> Results {
    Results(descriptor: self, calendar: healthStore.calendar, healthStore: healthStore)
  }

  /// Activity summaries as they change.
  public struct Results: AsyncSequence, Sendable {
    /// All summaries at first, then those that have changed, in the order of their days.
    public typealias Element = [HKActivitySummary]

    /// What reads the changes.
    public typealias AsyncIterator = Iterator

    let descriptor: HKActivitySummaryQueryDescriptor
    let calendar: Calendar
    let healthStore: HKHealthStore

    /// Returns a reader of its own, which begins with all summaries.
    public func makeAsyncIterator() -> Iterator {
      Iterator(
        feed: DescriptorFeed(healthStore) { [descriptor, calendar] reader, notify in
          let condition = try SampleCondition(descriptor.predicate)
          // Begun before summaries are computed, so that no change falls between the two.
          let feed = try ChangeFeed(
            reader.store.database, after: nil, of: LiveActivitySummaries.selection(reader),
            notify: notify)
          let live = Locked<LiveActivitySummaries?>(nil)
          return DescriptorFeed.Source(feed: feed) { isFirst in
            try live.withLock { live in
              if isFirst {
                live = try LiveActivitySummaries(condition, calendar: calendar, reader)
                return live?.summaries
              }
              let changed = try live?.update(from: feed)
              return changed?.isEmpty == true ? nil : changed
            }
          }
        })
    }

    /// Reads the summaries, from one task at a time.
    public struct Iterator: AsyncIteratorProtocol {
      let feed: DescriptorFeed<[HKActivitySummary]>

      /// Waits for the next summaries.
      ///
      /// - Returns: The summaries; `nil` after an error was thrown, and only then.
      /// - Throws: `CancellationError` as soon as the task is cancelled, or ``HKError``.
      public mutating func next() async throws -> [HKActivitySummary]? { try await feed.next() }
    }
  }
}
