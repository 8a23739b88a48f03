/// Finds the sources that saved matching samples, once.
public struct HKSourceQueryDescriptor<Sample>: HKAsyncQuery, @unchecked Sendable
where Sample: HKSample {
  /// What the query returns.
  public typealias Output = [HKSource]

  /// The type of samples, and what they must satisfy.
  public var predicate: HKSamplePredicate<Sample>

  /// Makes a descriptor.
  ///
  /// - Parameter predicate: The type of samples, and what they must satisfy.
  public init(predicate: HKSamplePredicate<Sample>) { self.predicate = predicate }

  /// Finds the sources.
  ///
  /// - Parameter healthStore: The store to read.
  /// - Returns: Each source once, by bundle identifier and then by name; none is an empty array.
  /// - Throws: ``HKError`` when the store cannot be read, `CancellationError` when the task is
  ///   cancelled.
  public func result(for healthStore: HKHealthStore) async throws -> [HKSource] {
    let found = try await healthStore.reading { reader in
      try reader.sources(reader.plan([predicate]))
    }
    try Task.checkCancellation()
    return found.sorted {
      ($0.bundleIdentifier, $0.name) < ($1.bundleIdentifier, $1.name)
    }
  }
}
