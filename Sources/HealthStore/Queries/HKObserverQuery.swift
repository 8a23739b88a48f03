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
/// stopped or a call has reported an error. Of a type whose reading a policy denies, the program's
/// own samples alone are changes.
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
    let feed = try ChangeFeed(reader.store.database, after: nil, of: plan.selection) {
      [weak self] in
      guard let self else { return }
      execution.perform { self.read(plan) }
    }
    execution.listen(to: feed)
    execution.deliver { call(self, Set(descriptors.map(\.sampleType)), nil) }
    // What changed meanwhile is reported by a call of its own.
    read(plan)
  }

  private func read(_ plan: QueryPlan) {
    do {
      while let series = try execution.feed?.nextChangedSeries() {
        let types = Set(series.compactMap { plan.types[$0] })
        if !types.isEmpty { execution.deliver { call(self, types, nil) } }
      }
    } catch {
      execution.fail(self, error)
    }
  }

  override func fail(_ error: any Error) { call(self, nil, error) }
}
