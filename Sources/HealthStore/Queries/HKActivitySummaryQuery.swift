public import Foundation
import SampleLog

/// Reads activity summaries, once or continuously.
///
/// A summary is computed from the samples of its day, from midnight to midnight in the health
/// store's calendar, ``HKHealthStore/calendar``. Active energy, move time and exercise time are
/// daily sums that count overlapping samples once. Stand hours are the hours with an
/// `appleStandHour` sample of value `stood`. Goals are those of
/// ``HKHealthStore/setActivityGoals(_:from:)``, or else zero or nil. A day is included if it has a
/// sample of one of these types, or if its summary was set with
/// ``HKHealthStore/setActivitySummaries(_:)``, which then takes precedence. In HealthKit, summaries
/// come from the Watch and programs cannot set them.
///
/// ```swift
/// let query = HKActivitySummaryQuery(predicate: nil) { query, summaries, error in
///   show(summaries?.map(\.activeEnergyBurned))
/// }
/// store.execute(query)
/// ```
open class HKActivitySummaryQuery: HKQuery, @unchecked Sendable {
  /// A handler that receives summaries in ascending order of day, or nil and an error.
  public typealias Handler =
    @Sendable (HKActivitySummaryQuery, [HKActivitySummary]?, (any Error)?) -> Void

  private let resultsHandler: Handler
  private let update = Locked<Handler?>(nil)

  /// Called after the results handler with the summaries that changed, in ascending order of day.
  ///
  /// If set, the query runs until it is stopped.
  ///
  /// A day whose samples were all deleted is reported with an empty summary. An error ends the
  /// query.
  ///
  /// - Precondition: Set it before the query is executed.
  open var updateHandler: Handler? {
    get { update.withLock { $0 } }
    set {
      trapUnless(
        !execution.wasExecuted, "An update handler must be set before the query is executed.")
      update.withLock { $0 = newValue }
    }
  }

  /// Creates a query.
  ///
  /// - Parameters:
  ///   - predicate: The condition on summaries, from `HKQuery.predicateForActivitySummary(with:)`
  ///     or `HKQuery.predicate(forActivitySummariesBetweenStart:end:)`, or nil to match all.
  ///   - handler: The results handler; called once, with an empty array if no summary matches.
  @preconcurrency
  public init(predicate: NSPredicate?, resultsHandler handler: @escaping Handler) {
    resultsHandler = handler
    super.init(objectType: .activitySummaryType(), predicate: predicate)
  }

  override func run(_ reader: StoreReader) throws {
    let condition = try SampleCondition(predicate)
    guard let handler = updateHandler else {
      let found = try LiveActivitySummaries(condition, calendar: reader.calendar, reader).summaries
      execution.deliver { resultsHandler(self, found, nil) }
      execution.finish()
      return
    }
    // Owned by the feed and released with it, because it keeps the store open.
    let live = Locked<LiveActivitySummaries?>(nil)
    // Subscribes before the summaries are computed, so that no change is missed.
    let selection = try LiveActivitySummaries.selection(reader)
    let feed = try ChangeFeed(reader.store.database, after: nil, of: selection) { [weak self] in
      guard let self else { return }
      execution.perform { self.update(live, handler) }
    }
    execution.listen(to: feed)
    let first = try LiveActivitySummaries(condition, calendar: reader.calendar, reader)
    live.withLock { $0 = first }
    execution.deliver { resultsHandler(self, first.summaries, nil) }
    update(live, handler)
  }

  private func update(_ live: Locked<LiveActivitySummaries?>, _ handler: Handler) {
    do {
      // Handlers are called without the lock, because they may stop the query.
      while let feed = execution.feed,
        let changed = try live.withLock({ try $0?.update(from: feed) })
      {
        if !changed.isEmpty { execution.deliver { handler(self, changed, nil) } }
      }
    } catch {
      execution.deliver { handler(self, nil, HKError.from(error)) }
      execution.finish()
    }
  }

  override func fail(_ error: any Error) { resultsHandler(self, nil, error) }
}
