public import Foundation
import SampleLog

/// What an observer calls when it has dealt with an update.
///
/// Calling it has no effect on a query that merely runs.
public typealias HKObserverQueryCompletionHandler = () -> Void

/// Tells when matching samples were saved or deleted, not which.
///
/// The handler is called once right after the query is executed, then after changes. However many
/// changes are made while a call is under way, one more call follows. The query runs until it is
/// stopped or a call has reported an error.
open class HKObserverQuery: HKQuery, @unchecked Sendable {
  private let descriptors: [HKQueryDescriptor]
  private let call: @Sendable (HKObserverQuery, Set<HKSampleType>?, (any Error)?) -> Void

  /// Makes an observer of one type.
  ///
  /// The handler gets a function to call when it is done, and an error if something went wrong.
  public init(
    sampleType: HKSampleType, predicate: NSPredicate?,
    updateHandler:
      @escaping @Sendable (
        HKObserverQuery, @escaping HKObserverQueryCompletionHandler, (any Error)?
      ) -> Void
  ) {
    descriptors = [HKQueryDescriptor(sampleType: sampleType, predicate: predicate)]
    call = { query, _, error in updateHandler(query, {}, error) }
    super.init(objectType: sampleType, predicate: predicate)
  }

  /// Makes an observer of what several descriptors admit.
  ///
  /// The handler also gets the types that changed: in its first call all of them, with an error
  /// `nil`.
  public init(
    queryDescriptors: [HKQueryDescriptor],
    updateHandler:
      @escaping @Sendable (
        HKObserverQuery, Set<HKSampleType>?, @escaping HKObserverQueryCompletionHandler,
        (any Error)?
      ) -> Void
  ) {
    descriptors = queryDescriptors
    call = { query, types, error in updateHandler(query, types, {}, error) }
    let only = queryDescriptors.count == 1 ? queryDescriptors.first : nil
    super.init(objectType: only?.sampleType, predicate: only?.predicate)
  }

  override func run(_ reader: StoreReader) throws {
    let plan = try reader.plan(descriptors)
    let start = reader.store.database.end
    let feed = LiveFeed(reader.store, series: plan.series, after: start) { [weak self] in
      self?.drain(reader, plan)
    } end: { [weak self] in
      self?.endWithStore()
    }
    execution.listen(to: feed)
    // A change on the way is told by the first call or by one after it.
    let mayHaveMissed = feed.endReading(at: start, isCut: reader.store.database.end != start)
    execution.deliver { call(self, Set(descriptors.map(\.sampleType)), nil) }
    if mayHaveMissed { drain(reader, plan) }
  }

  private func drain(_ reader: StoreReader, _ plan: QueryPlan) {
    execution.perform { [self] in
      guard let feed = execution.feed, let place = feed.beginReading() else { return }
      do {
        let (types, end) = try reader.changedTypes(plan, after: place)
        let isMore = feed.endReading(at: end, isCut: false)
        if !types.isEmpty { execution.deliver { call(self, types, nil) } }
        if isMore { drain(reader, plan) }
      } catch {
        execution.fail(self, error)
      }
    }
  }

  private func endWithStore() {
    execution.perform { [self] in
      execution.deliver { call(self, nil, HKError.storeClosed) }
      execution.finish()
    }
  }

  override func fail(_ error: any Error) { call(self, nil, error) }
}
