public import Foundation

/// Reads samples once.
///
/// ```swift
/// let descriptor = HKSampleQueryDescriptor(
///   predicates: [.quantitySample(type: heartRate)],
///   sortDescriptors: [SortDescriptor(\.startDate, order: .reverse)], limit: 10)
/// let samples = try await descriptor.result(for: store)
/// ```
public struct HKSampleQueryDescriptor<Sample>: HKAsyncQuery, @unchecked Sendable
where Sample: HKSample {
  /// What the query returns.
  public typealias Output = [Sample]

  /// What samples must satisfy: one of these.
  public var predicates: [HKSamplePredicate<Sample>]

  /// The order of the results; unspecified when empty, today by start date.
  public var sortDescriptors: [SortDescriptor<Sample>]

  /// The greatest number of samples to return, after sorting; `nil` for all.
  public var limit: Int?

  /// Makes a descriptor.
  ///
  /// - Parameters:
  ///   - predicates: What samples must satisfy: one of these.
  ///   - sortDescriptors: The order of the results.
  ///   - limit: The greatest number of samples; `nil` or `HKObjectQueryNoLimit` for all.
  public init(
    predicates: [HKSamplePredicate<Sample>], sortDescriptors: [SortDescriptor<Sample>],
    limit: Int? = nil
  ) {
    self.predicates = predicates
    self.sortDescriptors = sortDescriptors
    self.limit = limit
  }

  /// Reads the samples.
  ///
  /// - Parameter healthStore: The store to read.
  /// - Returns: The samples; none is an empty array.
  /// - Throws: ``HKError`` when the store cannot be read, `CancellationError` when the task is
  ///   cancelled.
  public func result(for healthStore: HKHealthStore) async throws -> [Sample] {
    let samples: [Sample] = try await healthStore.reading { reader in
      try reader.samples(
        reader.plan(predicates), order: SampleOrder(sortDescriptors),
        limit: limit ?? HKObjectQueryNoLimit)
    }
    try Task.checkCancellation()
    return samples
  }
}
