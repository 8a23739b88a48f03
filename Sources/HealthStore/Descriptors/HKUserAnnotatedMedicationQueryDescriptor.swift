public import Foundation

/// A query for a subject's medication list, for Swift concurrency.
public struct HKUserAnnotatedMedicationQueryDescriptor: HKAsyncQuery, Sendable {
  /// The condition on the medications, or `nil` to admit all.
  public var predicate: NSPredicate? {
    get { sent.predicate }
    set { sent.predicate = newValue }
  }
  private var sent: SentPredicate

  /// The maximum number of medications, or `nil` for no limit.
  public var limit: Int?

  /// The result of the query.
  public typealias Output = [HKUserAnnotatedMedication]

  /// Creates a descriptor.
  public init(predicate: NSPredicate? = nil, limit: Int? = nil) {
    sent = SentPredicate(predicate)
    self.limit = limit
  }

  /// Returns the medications in the order in which they were added to the list.
  ///
  /// - Throws: ``HKError`` if the store cannot be read, or `CancellationError` if the task is
  ///   cancelled.
  public func result(for healthStore: HKHealthStore) async throws -> [HKUserAnnotatedMedication] {
    let medications = try await healthStore.reading { reader in
      try reader.medications(predicate, limit: limit ?? HKObjectQueryNoLimit)
    }
    try Task.checkCancellation()
    return medications
  }
}
