public import Foundation
import SampleLog

/// What an observer calls when it has dealt with an update.
///
/// It acknowledges an update of a type that background delivery is enabled for, and otherwise has
/// no effect. It may be called later, on any thread.
public typealias HKObserverQueryCompletionHandler = () -> Void

/// Tells when matching samples were saved or deleted, not which.
///
/// The handler is called once right after the query is executed, then after changes. However many
/// changes are made while a call is under way, one more call follows. The query runs until it is
/// stopped or a call has reported an error. Of a type whose reading a policy denies, the program's
/// own samples alone are changes.
///
/// Changes of a type that ``HKHealthStore/enableBackgroundDelivery(for:frequency:)`` was called for
/// are reported as that says: no oftener than at the frequency, and again if the handler does not
/// call the function that it gets.
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

  /// Makes an observer of one type.
  ///
  /// The handler gets a function to call when it is done, and an error if something went wrong.
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

  /// Makes an observer of what several descriptors admit.
  ///
  /// The handler also gets the types that changed: in its first call all of them, with an error
  /// `nil`.
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
    let center = DeliveryCenter.of(reader.store.database, clock: reader.store.clock)
    let observer = center.map { center in
      DeliveryObserver(center, plan, reader) { [weak self] series, tickets in
        guard let self else { return }
        execution.perform { self.deliver(series, tickets, plan) }
      }
    }
    execution.listen(to: feed, observer)
    let tickets = try observer?.join(end: feed.anchor.sequence) ?? []
    // Who was stopped meanwhile has left before it came.
    if execution.feed == nil { observer?.leave() }
    deliver(Set(descriptors.map(\.sampleType)), tickets)
    // What changed meanwhile is reported by a call of its own.
    read(reader, plan)
  }

  private func read(_ reader: StoreReader, _ plan: QueryPlan) {
    do {
      while let (feed, observer) = execution.source {
        let begin = feed.anchor.sequence
        guard let changed = try reader.nextChangedSeries(feed, plan) else { return }
        // Which of them to report now says background delivery.
        let due = observer?.report(changed, after: begin, through: feed.anchor.sequence)
        deliver(due?.series ?? changed, due?.tickets ?? [], plan)
      }
    } catch {
      execution.fail(self, error)
    }
  }

  private func deliver(_ series: Set<SeriesKey>, _ tickets: [DeliveryTicket], _ plan: QueryPlan) {
    let types = Set(series.compactMap { plan.types[$0] })
    if !types.isEmpty { deliver(types, tickets) }
  }

  private func deliver(_ types: Set<HKSampleType>, _ tickets: [DeliveryTicket]) {
    let observer = tickets.isEmpty ? nil : execution.source?.observer
    execution.deliver { call(self, types, { observer?.acknowledge(tickets) }, nil) }
  }

  override func fail(_ error: any Error) { call(self, nil, {}, error) }
}
