/// Reads what was saved and deleted since an anchor, once or as it happens.
///
/// Changes are in the order of writing. To read a store in batches, repeat ``result(for:)`` with
/// the new anchor until both arrays are empty.
///
/// ```swift
/// let descriptor = HKAnchoredObjectQueryDescriptor(
///   predicates: [.quantitySample(type: heartRate)], anchor: anchor)
/// for try await update in descriptor.results(for: store) {
///   apply(update.addedSamples, update.deletedObjects, update.newAnchor)
/// }
/// ```
public struct HKAnchoredObjectQueryDescriptor<Sample>: HKAsyncQuery, HKAsyncSequenceQuery,
  @unchecked Sendable
where Sample: HKSample {
  /// What the query returns.
  public typealias Output = Result

  /// The changes as they happen.
  public typealias Sequence = Results

  /// Changes since an anchor.
  public struct Result: Sendable {
    /// The samples saved, those deleted since excepted.
    public let addedSamples: [Sample]

    /// The objects deleted.
    public let deletedObjects: [HKDeletedObject]

    /// Where to go on.
    public let newAnchor: HKQueryAnchor
  }

  /// What samples must satisfy, deleted ones included: one of these.
  public var predicates: [HKSamplePredicate<Sample>]

  /// Where to begin; `nil` for the beginning.
  public var anchor: HKQueryAnchor?

  /// The greatest number of samples and deleted objects in one result; `nil` for all.
  public var limit: Int?

  /// Makes a descriptor.
  ///
  /// - Parameters:
  ///   - predicates: What samples must satisfy: one of these.
  ///   - anchor: Where to begin; `nil` for the beginning.
  ///   - limit: The greatest number of samples and deleted objects together; `nil` or
  ///     `HKObjectQueryNoLimit` for all.
  public init(
    predicates: [HKSamplePredicate<Sample>], anchor: HKQueryAnchor?, limit: Int? = nil
  ) {
    self.predicates = predicates
    self.anchor = anchor
    self.limit = limit
  }

  /// Reads the changes since the anchor.
  ///
  /// - Parameter healthStore: The store to read.
  /// - Returns: The changes and where to go on.
  /// - Throws: ``HKError``: with `errorInvalidArgument` when the anchor is not one that this
  ///   store can go on from; `CancellationError` when the task is cancelled.
  public func result(for healthStore: HKHealthStore) async throws -> Result {
    let found = try await healthStore.reading { reader in
      try reader.changes(
        reader.plan(predicates), after: anchor, limit: limit ?? HKObjectQueryNoLimit)
    }
    try Task.checkCancellation()
    return Result(found)
  }

  /// Returns the changes since the anchor, then those that follow, without end.
  ///
  /// The first element comes at once, even when nothing has changed; the next ones when something
  /// has. Each iterator reads for itself, from the descriptor's anchor.
  ///
  /// - Parameter healthStore: The store to read.
  /// - Returns: The changes.
  public func results(for healthStore: HKHealthStore) -> Results {
    Results(descriptor: self, healthStore: healthStore)
  }
}

extension HKAnchoredObjectQueryDescriptor.Result {
  init(_ changes: ObjectChanges) {
    addedSamples = [Sample](narrowing: changes.added)
    deletedObjects = changes.deleted
    newAnchor = changes.anchor
  }
}
