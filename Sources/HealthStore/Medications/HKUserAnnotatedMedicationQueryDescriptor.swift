public import Foundation

/// Reads a person's list of medications with Swift concurrency.
public struct HKUserAnnotatedMedicationQueryDescriptor: HKAsyncQuery, @unchecked Sendable {
  /// What medications must satisfy; `nil` admits all.
  public var predicate: NSPredicate?

  /// The greatest number of medications; `nil` for all.
  public var limit: Int?

  /// The medications.
  public typealias Output = [HKUserAnnotatedMedication]

  /// Makes a descriptor.
  public init(predicate: NSPredicate? = nil, limit: Int? = nil) {
    self.predicate = predicate
    self.limit = limit
  }

  /// Reads the medications, in the order they came to the list.
  ///
  /// - Throws: ``HKError`` when the store cannot be read, `CancellationError` when the task is
  ///   cancelled.
  public func result(for healthStore: HKHealthStore) async throws -> [HKUserAnnotatedMedication] {
    let medications = try await healthStore.reading { reader in
      try reader.medications(predicate, limit: limit ?? HKObjectQueryNoLimit)
    }
    try Task.checkCancellation()
    return medications
  }
}
