public import Foundation
import SampleLog

/// Reads what was saved and deleted since an anchor and, with an update handler, what comes after.
///
/// Changes are in the order of writing, and are net: a sample added and deleted since the anchor
/// appears as a deletion only. The predicate applies to deleted objects as well. `newAnchor` is
/// where to go on. An array that is shorter than the limit does not mean the end; two empty ones
/// do.
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
  /// Takes samples, deleted objects and the new anchor, or `nil` three times and an error.
  public typealias Handler =
    @Sendable (
      HKAnchoredObjectQuery, [HKSample]?, [HKDeletedObject]?, HKQueryAnchor?, (any Error)?
    ) -> Void

  /// Where the answer goes.
  private enum Answer: Sendable {
    case changes(Handler)
    /// The older form: from a number on, without deleted objects.
    case samples(after: Int, SamplesHandler)
  }

  private let descriptors: [HKQueryDescriptor]
  private let anchor: HKQueryAnchor?
  private let limit: Int
  private let answer: Answer
  private let update = Locked<Handler?>(nil)

  /// Called with each change after the results handler was; makes the query run until stopped.
  ///
  /// After an error, which it gets like the results handler, the query has ended.
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

  /// Makes a query for changes to samples of one type.
  ///
  /// - Parameters:
  ///   - type: The type of samples.
  ///   - predicate: What samples must satisfy, those that were deleted included.
  ///   - anchor: Where to begin; `nil` for the beginning.
  ///   - limit: The greatest number of samples and deleted objects together;
  ///     `HKObjectQueryNoLimit` for all.
  ///   - resultsHandler: Called once.
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

  /// Makes a query for changes to samples that one of the descriptors admits.
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

  /// Makes a query for samples of one type that were saved after a number.
  ///
  /// The older form, which reports no deleted objects. A number is the sequence number of the last
  /// record read. It does not tell which store it is of: with another, it is believed, unless that
  /// has fewer records. It never expires, for what was forgotten are deletions.
  ///
  /// - Parameters:
  ///   - type: The type of samples.
  ///   - predicate: What samples must satisfy.
  ///   - anchor: The number that the query before returned; `HKAnchoredObjectQueryNoAnchor` for the
  ///     beginning.
  ///   - limit: The greatest number of samples; `HKObjectQueryNoLimit` for all.
  ///   - handler: Called once, with samples in the order of writing and the next number, or `nil`,
  ///     the number given, and an error: `errorInvalidArgument` for a number that the store has not
  ///     reached.
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
