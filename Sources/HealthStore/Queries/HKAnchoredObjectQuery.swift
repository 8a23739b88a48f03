public import Foundation
import SampleLog

/// Reads the changes since an anchor and, with an update handler, later changes as they are
/// committed.
///
/// Changes are in commit order and are net: a sample that was added and deleted since the anchor is
/// reported only as deleted. The predicate applies to deleted objects as well. `newAnchor` is the
/// position to resume from. A result with fewer objects than the limit is not necessarily the last;
/// two empty arrays mark the end.
///
/// ```swift
/// let query = HKAnchoredObjectQuery(
///   type: heartRate, predicate: nil, anchor: anchor, limit: HKObjectQueryNoLimit
/// ) { query, added, deleted, newAnchor, error in
///   apply(added, deleted, newAnchor)
/// }
/// query.updateHandler = { query, added, deleted, newAnchor, error in
///   apply(added, deleted, newAnchor)
/// }
/// store.execute(query)
/// ```
open class HKAnchoredObjectQuery: HKQuery, @unchecked Sendable {
  /// A handler that receives samples, deleted objects and the new anchor, or nil three times and an
  /// error.
  public typealias Handler =
    @Sendable (
      HKAnchoredObjectQuery, [HKSample]?, [HKDeletedObject]?, HKQueryAnchor?, (any Error)?
    ) -> Void

  /// The handler that receives the results.
  private enum Answer: Sendable {
    case changes(Handler)
    /// The older form: from a sequence number, without deleted objects.
    case samples(after: Int, SamplesHandler)
  }

  private let descriptors: [HKQueryDescriptor]
  private let anchor: HKQueryAnchor?
  private let limit: Int
  private let answer: Answer
  private let update = Locked<Handler?>(nil)

  /// Called with each change after the results handler.
  ///
  /// If set, the query runs until it is stopped.
  ///
  /// An error is reported as for the results handler and ends the query.
  ///
  /// - Precondition: Set it before the query is executed, on a query without a limit.
  open var updateHandler: Handler? {
    get { update.withLock { $0 } }
    set {
      trapUnless(
        newValue == nil || limit <= 0, "A query that has a limit cannot have an update handler.")
      trapUnless(
        newValue == nil || !isNumbered,
        "A query whose anchor is a number cannot have an update handler.")
      trapUnless(
        !execution.wasExecuted, "An update handler must be set before the query is executed.")
      update.withLock { $0 = newValue }
    }
  }

  /// Creates a query for changes to samples of one type.
  ///
  /// - Parameters:
  ///   - type: The type of samples.
  ///   - predicate: The condition on samples, including deleted ones.
  ///   - anchor: The position to start from, or nil for the beginning.
  ///   - limit: The maximum number of samples and deleted objects combined; `HKObjectQueryNoLimit`
  ///     for all.
  ///   - resultsHandler: The results handler; called once.
  @preconcurrency
  public init(
    type: HKSampleType, predicate: NSPredicate?, anchor: HKQueryAnchor?, limit: Int,
    resultsHandler:
      @escaping @Sendable (
        HKAnchoredObjectQuery, [HKSample]?, [HKDeletedObject]?, HKQueryAnchor?, (any Error)?
      ) -> Void
  ) {
    descriptors = [HKQueryDescriptor(sampleType: type, predicate: predicate)]
    self.anchor = anchor
    self.limit = limit
    answer = .changes(resultsHandler)
    super.init(objectType: type, predicate: predicate)
  }

  /// Creates a query for changes to samples that match any of the descriptors.
  @preconcurrency
  public init(
    queryDescriptors: [HKQueryDescriptor], anchor: HKQueryAnchor?, limit: Int,
    resultsHandler:
      @escaping @Sendable (
        HKAnchoredObjectQuery, [HKSample]?, [HKDeletedObject]?, HKQueryAnchor?, (any Error)?
      ) -> Void
  ) {
    descriptors = queryDescriptors
    self.anchor = anchor
    self.limit = limit
    answer = .changes(resultsHandler)
    let only = queryDescriptors.count == 1 ? queryDescriptors.first : nil
    super.init(objectType: only?.sampleType, predicate: only?.predicate)
  }

  typealias SamplesHandler =
    @Sendable (HKAnchoredObjectQuery, [HKSample]?, Int, (any Error)?) -> Void

  /// Creates a query for samples of one type that were saved after a sequence number.
  ///
  /// The older form, which does not report deleted objects. The number is the sequence number of
  /// the last record read. It does not identify its store: another store accepts it unless it has
  /// fewer records. It never expires, because only the history of deletions is truncated.
  ///
  /// - Parameters:
  ///   - type: The type of samples.
  ///   - predicate: The condition on samples.
  ///   - anchor: The number that the preceding query returned; `HKAnchoredObjectQueryNoAnchor` for
  ///     the beginning.
  ///   - limit: The maximum number of samples; `HKObjectQueryNoLimit` for all.
  ///   - handler: The completion handler; called once with samples in commit order and the next
  ///     number, or with nil, the given number and an error: `errorInvalidArgument` if the store
  ///     has not reached the number.
  @available(*, deprecated, message: "Use an HKQueryAnchor, which tells deleted objects as well.")
  @preconcurrency
  public init(
    type: HKSampleType, predicate: NSPredicate?, anchor: Int, limit: Int,
    completionHandler handler:
      @escaping @Sendable (HKAnchoredObjectQuery, [HKSample]?, Int, (any Error)?) -> Void
  ) {
    descriptors = [HKQueryDescriptor(sampleType: type, predicate: predicate)]
    self.anchor = nil
    self.limit = limit
    answer = .samples(after: anchor, handler)
    super.init(objectType: type, predicate: predicate)
  }

  private var isNumbered: Bool {
    if case .samples = answer { return true }
    return false
  }

  override func run(_ reader: StoreReader) throws {
    let plan = try reader.plan(descriptors)
    let resultsHandler: Handler
    switch answer {
    case .changes(let handler): resultsHandler = handler
    case .samples(let number, let handler):
      let found = try reader.samples(plan, afterNumber: number, limit: limit)
      execution.deliver { handler(self, found.samples, found.number, nil) }
      execution.finish()
      return
    }
    guard let handler = updateHandler else {
      deliver(try reader.changes(plan, after: anchor, limit: limit), resultsHandler)
      execution.finish()
      return
    }
    let anchor = anchor?.anchor ?? .beginning
    let feed = try ChangeFeed(reader.store.database, after: anchor, of: plan.observed) {
      [weak self] in
      guard let self else { return }
      execution.perform { self.read(reader, plan, handler) }
    }
    execution.listen(to: feed)
    if let changes = try reader.nextChanges(feed, plan) { deliver(changes, resultsHandler) }
    read(reader, plan, handler)
  }

  private func read(_ reader: StoreReader, _ plan: QueryPlan, _ handler: Handler) {
    do {
      while let feed = execution.feed, let changes = try reader.nextChanges(feed, plan) {
        if !changes.isEmpty { deliver(changes, handler) }
      }
    } catch {
      execution.deliver { handler(self, nil, nil, nil, HKError.from(error)) }
      execution.finish()
    }
  }

  private func deliver(_ changes: ObjectChanges, _ handler: Handler) {
    execution.deliver { handler(self, changes.added, changes.deleted, changes.anchor, nil) }
  }

  override func fail(_ error: any Error) {
    switch answer {
    case .changes(let handler): handler(self, nil, nil, nil, error)
    case .samples(let number, let handler): handler(self, nil, number, error)
    }
  }
}
