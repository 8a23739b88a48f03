public import Foundation
import SampleLog

/// Computes statistics for intervals, such as days, once or continuously.
///
/// A sample that crosses an interval boundary counts in both intervals: in proportion if
/// cumulative, completely if discrete. Intervals that extend beyond the predicate's dates contain
/// only matching samples. Only quantity types have statistics.
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
  /// A handler that receives the collection, or nil and an error.
  public typealias InitialHandler =
    @Sendable (HKStatisticsCollectionQuery, HKStatisticsCollection?, (any Error)?) -> Void

  /// A handler that receives the statistics of a changed interval and the collection, or nil twice
  /// and an error.
  public typealias UpdateHandler =
    @Sendable (
      HKStatisticsCollectionQuery, HKStatistics?, HKStatisticsCollection?, (any Error)?
    ) -> Void

  private struct Handlers {
    var initial: InitialHandler?
    var update: UpdateHandler?
  }

  /// The start of an interval.
  ///
  /// Intervals begin at this date and at whole multiples of the components before and after it.
  open private(set) var anchorDate: Date

  /// The statistics to compute.
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

  /// Called after the initial results handler for each interval that changed, in chronological
  /// order, with the interval's statistics and the complete collection.
  ///
  /// If set, the query runs until it is stopped.
  ///
  /// An interval whose samples were all deleted is reported with nil quantities. An error ends the
  /// query.
  ///
  /// - Precondition: Set it before the query is executed.
  open var statisticsUpdateHandler: UpdateHandler? {
    get { handlers.withLock { $0.update } }
    set {
      checkHandler()
      handlers.withLock { $0.update = newValue }
    }
  }

  /// Creates a query.
  ///
  /// Components of a day or longer use the components' calendar, or else the health store's,
  /// ``HKHealthStore/calendar``.
  ///
  /// - Parameters:
  ///   - quantityType: The type of samples.
  ///   - quantitySamplePredicate: The condition on samples, or nil to match all.
  ///   - options: The statistics to compute.
  ///   - anchorDate: The start of an interval.
  ///   - intervalComponents: The length of an interval.
  /// - Precondition: The type supports the options, and the components are a valid interval.
  ///   Otherwise the initialiser traps;
  ///   ``validate(quantityType:options:anchorDate:intervalComponents:)`` throws instead.
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

  /// Throws if creating a query with these arguments would trap.
  ///
  /// This is an addition to HealthKit. Use it to validate arguments from an untrusted source.
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
    // Owned by the feed and released with it, because it keeps the store open.
    let live = Locked<LiveCollection?>(nil)
    // Subscribes before the collection is computed, so that no change is missed.
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
      // Takes the only reference, so that the update does not copy the collection.
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
