public import Foundation
import SampleLog

/// Reads activity summaries, once or as they change.
///
/// A summary is computed from the samples of its day, which goes from midnight to midnight in the
/// calendar of the health store, ``HKHealthStore/calendar``. Active energy, move time and exercise
/// time are daily sums in which nothing counts twice; stand hours are the hours with an
/// `appleStandHour` sample of the value `stood`. Goals are those of
/// ``HKHealthStore/setActivityGoals(_:from:)``, else zero or `nil`. A day appears if it has a
/// sample of one of these types, or was set with ``HKHealthStore/setActivitySummaries(_:)``, which
/// then holds instead. HealthKit's summaries come from the Watch, and no program can set them.
///
/// ```swift
/// let query = HKActivitySummaryQuery(predicate: nil) { query, summaries, error in
///   show(summaries?.map(\.activeEnergyBurned))
/// }
/// store.execute(query)
/// ```
open class HKActivitySummaryQuery: HKQuery, @unchecked Sendable {
  /// Takes summaries in the order of their days, or `nil` and an error.
  public typealias Handler =
    @Sendable (HKActivitySummaryQuery, [HKActivitySummary]?, (any Error)?) -> Void

  private let resultsHandler: Handler
  private let update = Locked<Handler?>(nil)

  /// Called after the results handler with the summaries that a change has changed, in the order of
  /// their days; makes the query run until it is stopped.
  ///
  /// A day that has lost its samples comes with a summary of nothing. After an error the query has
  /// ended.
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

  /// Makes a query.
  ///
  /// - Parameters:
  ///   - predicate: What summaries must satisfy, from `HKQuery.predicateForActivitySummary(with:)`
  ///     or `HKQuery.predicate(forActivitySummariesBetweenStart:end:)`; `nil` admits all.
  ///   - handler: Called once, with the summaries, none being an empty array.
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
    // The feed's, and gone with it: it keeps the store open.
    let live = Locked<LiveActivitySummaries?>(nil)
    // Begun before summaries are computed, so that no change falls between the two.
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
      // Handlers are called without the lock: they may stop the query.
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
