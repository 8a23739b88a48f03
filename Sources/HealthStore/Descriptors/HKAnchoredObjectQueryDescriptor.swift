/// A query for the samples saved and deleted since an anchor, either once or as they change.
///
/// Changes are in commit order. To read a store in batches, repeat ``result(for:)`` with the new
/// anchor until both arrays are empty.
///
/// ```swift
/// let descriptor = HKAnchoredObjectQueryDescriptor(
///   predicates: [.quantitySample(type: heartRate)], anchor: anchor)
/// for try await update in descriptor.results(for: store) {
///   apply(update.addedSamples, update.deletedObjects, update.newAnchor)
/// }
/// ```
public struct HKAnchoredObjectQueryDescriptor<Sample>: HKAsyncQuery, HKAsyncSequenceQuery,
  Sendable
where Sample: HKSample {
  /// The result of the query.
  public typealias Output = Result

  /// The sequence of changes as they happen.
  public typealias Sequence = Results

  /// The changes since an anchor.
  public struct Result: Sendable {
    /// The saved samples, except those that have been deleted since.
    public let addedSamples: [Sample]

    /// The deleted objects.
    public let deletedObjects: [HKDeletedObject]

    /// The anchor from which the next query continues.
    public let newAnchor: HKQueryAnchor
  }

  /// The conditions, at least one of which a sample must satisfy.
  ///
  /// They apply to deleted samples, too.
  public var predicates: [HKSamplePredicate<Sample>]

  /// The anchor to read from, or `nil` for the beginning of the store.
  public var anchor: HKQueryAnchor?

  /// The maximum number of samples and deleted objects in one result, or `nil` for no limit.
  public var limit: Int?

  /// Creates a descriptor.
  ///
  /// - Parameters:
  ///   - predicates: The conditions, at least one of which a sample must satisfy.
  ///   - anchor: The anchor to read from, or `nil` for the beginning of the store.
  ///   - limit: The maximum number of samples and deleted objects together; `nil` or
  ///     `HKObjectQueryNoLimit` for no limit.
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
  /// - Returns: The changes and the new anchor.
  /// - Throws: ``HKError``, with `errorInvalidArgument` if the anchor is not valid for this store;
  ///   `CancellationError` if the task is cancelled.
  public func result(for healthStore: HKHealthStore) async throws -> Result {
    let found = try await healthStore.answering { reader in
      try reader.changes(
        reader.plan(predicates), after: anchor, limit: limit ?? HKObjectQueryNoLimit)
    }
    try Task.checkCancellation()
    return Result(found)
  }

  /// Returns an infinite sequence: the changes since the anchor, followed by later changes.
  ///
  /// The first element is delivered at once, even if it is empty; each later one follows a change.
  /// Iterators are independent and begin at the descriptor's anchor.
  ///
  /// - Parameter healthStore: The store to read.
  /// - Returns: The sequence of changes.
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
