/// A query that finds the sources of matching samples once.
public struct HKSourceQueryDescriptor<Sample>: HKAsyncQuery, Sendable
where Sample: HKSample {
  /// The result of the query.
  public typealias Output = [HKSource]

  /// The sample type and the condition on its samples.
  public var predicate: HKSamplePredicate<Sample>

  /// Creates a descriptor.
  ///
  /// - Parameter predicate: The sample type and the condition on its samples.
  public init(predicate: HKSamplePredicate<Sample>) { self.predicate = predicate }

  /// Finds the sources.
  ///
  /// - Parameter healthStore: The store to read.
  /// - Returns: The distinct sources, ordered by bundle identifier and then by name, or an empty
  ///   array if no sample matches.
  /// - Throws: ``HKError`` if the store cannot be read, or `CancellationError` if the task is
  ///   cancelled.
  public func result(for healthStore: HKHealthStore) async throws -> [HKSource] {
    let found = try await healthStore.answering { reader in
      try reader.sources(reader.plan([predicate]))
    }
    try Task.checkCancellation()
    return found.sorted {
      ($0.bundleIdentifier, $0.name) < ($1.bundleIdentifier, $1.name)
    }
  }
}
