public import Foundation

/// A query that reads samples once.
///
/// ```swift
/// let descriptor = HKSampleQueryDescriptor(
///   predicates: [.quantitySample(type: heartRate)],
///   sortDescriptors: [SortDescriptor(\.startDate, order: .reverse)], limit: 10)
/// let samples = try await descriptor.result(for: store)
/// ```
public struct HKSampleQueryDescriptor<Sample>: HKAsyncQuery, Sendable
where Sample: HKSample {
  /// The result of the query.
  public typealias Output = [Sample]

  /// The conditions, at least one of which a sample must satisfy.
  public var predicates: [HKSamplePredicate<Sample>]

  /// The order of the results.
  ///
  /// If empty, the order is unspecified; currently it is by start date.
  public var sortDescriptors: [SortDescriptor<Sample>]

  /// The maximum number of samples to return, after sorting, or `nil` for no limit.
  public var limit: Int?

  /// Creates a descriptor.
  ///
  /// - Parameters:
  ///   - predicates: The conditions, at least one of which a sample must satisfy.
  ///   - sortDescriptors: The order of the results.
  ///   - limit: The maximum number of samples; `nil` or `HKObjectQueryNoLimit` for no limit.
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
  /// - Returns: The samples, or an empty array if none match.
  /// - Throws: ``HKError`` if the store cannot be read, or `CancellationError` if the task is
  ///   cancelled.
  public func result(for healthStore: HKHealthStore) async throws -> [Sample] {
    let samples = try await healthStore.answering { reader in
      try reader.samples(
        reader.plan(predicates), order: SampleOrder(sortDescriptors),
        limit: limit ?? HKObjectQueryNoLimit, in: nil
      ) { $0 is Sample.Type }
    }
    try Task.checkCancellation()
    return samples.ofSameLayout()
  }
}
