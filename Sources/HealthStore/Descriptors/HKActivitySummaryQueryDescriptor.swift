public import Foundation
internal import SampleLog

/// A query for activity summaries, either once or as they change.
///
/// Equivalent to ``HKActivitySummaryQuery``.
public struct HKActivitySummaryQueryDescriptor: HKAsyncQuery, HKAsyncSequenceQuery,
  Sendable
{
  /// The result of the query.
  public typealias Output = [HKActivitySummary]

  /// The sequence of summaries as they change.
  public typealias Sequence = Results

  /// The condition on the summaries, or `nil` to admit all.
  public var predicate: NSPredicate? {
    get { sent.predicate }
    set { sent.predicate = newValue }
  }
  private var sent: SentPredicate

  /// Creates a descriptor.
  ///
  /// - Parameter predicate: The condition on the summaries, or `nil` to admit all.
  public init(predicate: NSPredicate?) { sent = SentPredicate(predicate) }

  /// Computes the summaries.
  ///
  /// - Parameter healthStore: The store to read.
  /// - Returns: The summaries in the order of their days, or an empty array if there are none.
  /// - Throws: ``HKError`` if the store cannot be read, or `CancellationError` if the task is
  ///   cancelled.
  public func result(for healthStore: HKHealthStore) async throws -> [HKActivitySummary] {
    let live = try await healthStore.reading { reader in
      try LiveActivitySummaries(
        SampleCondition(predicate), calendar: reader.calendar, reader)
    }
    try Task.checkCancellation()
    return live.summaries
  }

  /// Returns an infinite sequence: first all summaries, then the changed ones after each change.
  ///
  /// The first element is delivered at once, even if there are no summaries. Iterators are
  /// independent of each other.
  ///
  /// - Parameter healthStore: The store to read.
  /// - Returns: The sequence of summaries.
  public func results(for healthStore: HKHealthStore) -> Results {
    Results(descriptor: self, calendar: healthStore.calendar, healthStore: healthStore)
  }

  /// A sequence of activity summaries as they change.
  public struct Results: AsyncSequence, Sendable {
    /// All summaries in the first element, then the changed ones, in the order of their days.
    public typealias Element = [HKActivitySummary]

    /// The iterator that reads the changes.
    public typealias AsyncIterator = Iterator

    let descriptor: HKActivitySummaryQueryDescriptor
    let calendar: Calendar
    let healthStore: HKHealthStore

    /// Returns an independent iterator, which begins with all summaries.
    public func makeAsyncIterator() -> Iterator {
      Iterator(
        feed: DescriptorFeed(healthStore) { [descriptor, calendar] reader, notify in
          let condition = try SampleCondition(descriptor.predicate)
          // The feed begins before the summaries are computed, so that no change is lost in
          // between.
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

    /// An iterator over the summaries.
    ///
    /// Only one task may use it at a time.
    public struct Iterator: AsyncIteratorProtocol {
      let feed: DescriptorFeed<[HKActivitySummary]>

      /// Waits for the next summaries.
      ///
      /// - Returns: The next summaries, or `nil` after an error was thrown.
      /// - Throws: `CancellationError` as soon as the task is cancelled, or ``HKError``.
      public mutating func next() async throws -> [HKActivitySummary]? { try await feed.next() }
    }
  }
}
