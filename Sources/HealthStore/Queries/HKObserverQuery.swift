public import Foundation
import SampleLog

/// A function that an observer calls after it has processed an update.
///
/// Acknowledges the update if background delivery is enabled for its type; otherwise it has no
/// effect. It may be called at any time and on any thread.
public typealias HKObserverQueryCompletionHandler = () -> Void

/// Reports that matching samples were saved or deleted, without identifying them.
///
/// The handler is called once after the query is executed, and then after changes. All changes that
/// are committed during a call are reported in one further call. The query runs until it is stopped
/// or reports an error. For a type with denied read access, only changes to the program's own
/// samples are reported.
///
/// If ``HKHealthStore/enableBackgroundDelivery(for:frequency:)`` is enabled for a type, its changes
/// are delivered at most at that frequency, and redelivered until the handler calls its completion
/// function.
///
/// ```swift
/// let observer = HKObserverQuery(sampleType: heartRate, predicate: nil) { _, completion, error in
///   // Read on from an archived anchor, keep the new one, then:
///   completion()
/// }
/// store.execute(observer)
/// ```
open class HKObserverQuery: HKQuery, @unchecked Sendable {
  private let descriptors: [HKQueryDescriptor]
  private let call:
    @Sendable (
      HKObserverQuery, Set<HKSampleType>?, @escaping HKObserverQueryCompletionHandler,
      (any Error)?
    ) -> Void

  /// Creates an observer of one type.
  ///
  /// The handler receives a completion function, and an error if the query failed.
  @preconcurrency
  public init(
    sampleType: HKSampleType, predicate: NSPredicate?,
    updateHandler:
      @escaping @Sendable (
        HKObserverQuery, @escaping HKObserverQueryCompletionHandler, (any Error)?
      ) -> Void
  ) {
    descriptors = [HKQueryDescriptor(sampleType: sampleType, predicate: predicate)]
    call = { query, _, completion, error in updateHandler(query, completion, error) }
    super.init(objectType: sampleType, predicate: predicate)
  }

  /// Creates an observer of samples that match any of the descriptors.
  ///
  /// The handler also receives the types that changed: all types in the first call, nil with an
  /// error.
  @preconcurrency
  public init(
    queryDescriptors: [HKQueryDescriptor],
    updateHandler:
      @escaping @Sendable (
        HKObserverQuery, Set<HKSampleType>?, @escaping HKObserverQueryCompletionHandler,
        (any Error)?
      ) -> Void
  ) {
    descriptors = queryDescriptors
    call = updateHandler
    let only = queryDescriptors.count == 1 ? queryDescriptors.first : nil
    super.init(objectType: only?.sampleType, predicate: only?.predicate)
  }

  override func run(_ reader: StoreReader) throws {
    let plan = try reader.plan(descriptors)
    let feed = try ChangeFeed(reader.store.database, after: nil, of: plan.observed) {
      [weak self] in
      guard let self else { return }
      execution.perform { self.read(reader, plan) }
    }
    let scheduler = DeliveryScheduler.of(reader.store.database, clock: reader.store.clock)
    let observer = scheduler.map { scheduler in
      DeliveryObserver(scheduler, plan, reader) { [weak self] series, tokens in
        guard let self else { return }
        execution.perform { self.deliver(series, tokens, plan) }
      }
    }
    execution.listen(to: feed, observer)
    let tokens = try observer?.join(end: feed.anchor.sequence) ?? []
    // If the query was stopped concurrently, its observer has not been removed yet.
    if execution.feed == nil { observer?.leave() }
    deliver(Set(descriptors.map(\.sampleType)), tokens)
    // Changes since then are reported in a separate call.
    read(reader, plan)
  }

  private func read(_ reader: StoreReader, _ plan: QueryPlan) {
    do {
      while let (feed, observer) = execution.source {
        let begin = feed.anchor.sequence
        guard let changed = try reader.nextChangedSeries(feed, plan) else { return }
        // Background delivery decides which series are due.
        let due = observer?.report(changed, after: begin, through: feed.anchor.sequence)
        deliver(due?.series ?? changed, due?.tokens ?? [], plan)
      }
    } catch {
      execution.fail(self, error)
    }
  }

  private func deliver(_ series: Set<SeriesKey>, _ tokens: [DeliveryToken], _ plan: QueryPlan) {
    let types = Set(series.compactMap { plan.type(of: $0) })
    if !types.isEmpty { deliver(types, tokens) }
  }

  private func deliver(_ types: Set<HKSampleType>, _ tokens: [DeliveryToken]) {
    let observer = tokens.isEmpty ? nil : execution.source?.observer
    execution.deliver { call(self, types, { observer?.acknowledge(tokens) }, nil) }
  }

  override func fail(_ error: any Error) { call(self, nil, {}, error) }
}
