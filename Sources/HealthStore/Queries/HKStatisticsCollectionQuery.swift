public import Foundation
import SampleLog

/// Computes statistics for intervals such as days and, with an update handler, follows changes.
///
/// A sample that crosses the edge of an interval counts in both: a cumulative one in proportion, a
/// discrete one whole. Intervals that reach beyond the predicate's dates hold what matching samples
/// have there. Only quantity types have statistics.
///
/// ```swift
/// let query = HKStatisticsCollectionQuery(
///   quantityType: steps, quantitySamplePredicate: nil, options: .cumulativeSum,
///   anchorDate: midnight, intervalComponents: DateComponents(day: 1))
/// query.initialResultsHandler = { query, collection, error in
///   collection?.enumerateStatistics(from: midnight, to: midnight + 86_399) { day, stop in
///     show(day.sumQuantity())
///   }
/// }
/// store.execute(query)
/// ```
open class HKStatisticsCollectionQuery: HKQuery, @unchecked Sendable {
  /// Takes the collection, or `nil` and an error.
  public typealias InitialHandler =
    @Sendable (HKStatisticsCollectionQuery, HKStatisticsCollection?, (any Error)?) -> Void

  /// Takes the statistics of a changed interval and the collection, or `nil` twice and an error.
  public typealias UpdateHandler =
    @Sendable (
      HKStatisticsCollectionQuery, HKStatistics?, HKStatisticsCollection?, (any Error)?
    ) -> Void

  private struct Handlers {
    var initial: InitialHandler?
    var update: UpdateHandler?
  }

  /// Where intervals begin: at this date, and at whole multiples of the components from it.
  open private(set) var anchorDate: Date

  /// What is computed.
  open private(set) var options: HKStatisticsOptions

  /// The length of an interval.
  open private(set) var intervalComponents: DateComponents

  private let quantityType: HKQuantityType
  private let handlers = Locked(Handlers())

  /// Called once, with the collection.
  ///
  /// - Precondition: Set it before the query is executed.
  open var initialResultsHandler: InitialHandler? {
    get { handlers.withLock { $0.initial } }
    set {
      checkHandler()
      handlers.withLock { $0.initial = newValue }
    }
  }

  /// Called after the initial results handler for each interval that a change has changed, in the
  /// order of time, with the interval's statistics and the whole collection; makes the query run
  /// until it is stopped.
  ///
  /// An interval that has lost its samples comes with `nil` quantities. After an error the query
  /// has ended.
  ///
  /// - Precondition: Set it before the query is executed.
  open var statisticsUpdateHandler: UpdateHandler? {
    get { handlers.withLock { $0.update } }
    set {
      checkHandler()
      handlers.withLock { $0.update = newValue }
    }
  }

  /// Makes a query.
  ///
  /// Days and longer are counted in the calendar of the components, else in that of the health
  /// store, ``HKHealthStore/calendar``.
  ///
  /// - Parameters:
  ///   - quantityType: The type of samples.
  ///   - quantitySamplePredicate: What samples must satisfy; `nil` admits all.
  ///   - options: What to compute.
  ///   - anchorDate: Where an interval begins.
  ///   - intervalComponents: The length of an interval.
  /// - Precondition: The type allows the options, and the components are an interval;
  ///   ``validate(quantityType:options:anchorDate:intervalComponents:)`` throws where this ends the
  ///   process.
  public init(
    quantityType: HKQuantityType, quantitySamplePredicate: NSPredicate?,
    options: HKStatisticsOptions = [], anchorDate: Date, intervalComponents: DateComponents
  ) {
    do {
      try Self.validate(
        quantityType: quantityType, options: options, anchorDate: anchorDate,
        intervalComponents: intervalComponents)
    } catch {
      fatalError("\(error)")
    }
    self.quantityType = quantityType
    self.options = options
    self.anchorDate = anchorDate
    self.intervalComponents = intervalComponents
    super.init(objectType: quantityType, predicate: quantitySamplePredicate)
  }

  /// Throws where making a query of these arguments would end the process.
  ///
  /// Our addition: ask here first where they come from outside.
  ///
  /// - Throws: ``HKStatisticsError``.
  public static func validate(
    quantityType: HKQuantityType, options: HKStatisticsOptions, anchorDate: Date,
    intervalComponents: DateComponents
  ) throws(HKStatisticsError) {
    _ = try options.validated(for: quantityType)
    _ = try StatisticsGrid.validated(
      anchor: anchorDate, components: intervalComponents, calendar: .current)
  }

  override func run(_ reader: StoreReader) throws {
    let request = StatisticsRequest(
      quantityType: quantityType, condition: try SampleCondition(predicate), options: options)
    let grid = StatisticsGrid(
      anchor: anchorDate, components: intervalComponents, calendar: reader.calendar)
    guard let handler = statisticsUpdateHandler else {
      deliver(try reader.collection(request, grid))
      execution.finish()
      return
    }
    // The feed's, and gone with it: it keeps the store open.
    let live = Locked<LiveCollection?>(nil)
    // Begun before the collection is computed, so that no change falls between the two.
    let selection = try LiveCollection.selection(request, reader)
    let feed = try ChangeFeed(reader.store.database, after: nil, of: selection) { [weak self] in
      guard let self else { return }
      execution.perform { self.update(live, handler) }
    }
    execution.listen(to: feed)
    let first = try LiveCollection(request, grid, reader)
    live.withLock { $0 = first }
    deliver(first.collection)
    update(live, handler)
  }

  private func update(_ live: Locked<LiveCollection?>, _ handler: UpdateHandler) {
    do {
      guard let feed = execution.feed else { return }
      // Only one copy may be there while it is changed.
      let taken = live.withLock { live in
        defer { live = nil }
        return live
      }
      guard var current = taken else { return }
      defer { live.withLock { $0 = current } }
      while let changed = try current.update(from: feed) {
        let collection = current.collection
        for index in changed {
          execution.deliver { handler(self, collection.statistics(at: index), collection, nil) }
        }
      }
    } catch {
      execution.deliver { handler(self, nil, nil, HKError.from(error)) }
      execution.finish()
    }
  }

  private func deliver(_ collection: HKStatisticsCollection) {
    execution.deliver { initialResultsHandler?(self, collection, nil) }
  }

  private func checkHandler() {
    trapUnless(
      !execution.wasExecuted, "A statistics handler must be set before the query is executed.")
  }

  override func fail(_ error: any Error) { initialResultsHandler?(self, nil, error) }
}
