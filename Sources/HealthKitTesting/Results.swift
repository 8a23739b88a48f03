public import HealthKit

// Objects for which HealthKit has no initialisers, created by queries on a temporary store.

extension HKStatistics {
  /// Computes the statistics of samples of one type, as a statistics query does.
  ///
  /// - Parameters:
  ///   - samples: The samples, which need not be in a store.
  ///   - options: The statistics to compute.
  /// - Returns: The statistics.
  /// - Throws: `HKError` with `errorNoData` if there are no samples.
  /// - Precondition: The type supports the options.
  public static func computed(
    from samples: [HKQuantitySample], options: HKStatisticsOptions
  ) async throws -> HKStatistics {
    let store = HKHealthStore.inMemory()
    try await store.save(samples)
    guard let type = samples.first?.quantityType,
      let statistics = try await HKStatisticsQueryDescriptor(
        predicate: .quantitySample(type: type), options: options
      ).result(for: store)
    else { throw HKError(.errorNoData) }
    return statistics
  }
}

extension HKStatisticsCollection {
  /// Computes the statistics of samples of one type by interval, as a statistics collection query
  /// does.
  ///
  /// - Parameters:
  ///   - samples: The samples, which need not be in a store.
  ///   - options: The statistics to compute.
  ///   - anchorDate: The start of an interval.
  ///   - intervalComponents: The length of an interval, with an optional calendar.
  /// - Returns: The collection.
  /// - Throws: `HKError` with `errorNoData` if there are no samples.
  /// - Precondition: The type supports the options, and the components are a valid interval.
  public static func computed(
    from samples: [HKQuantitySample], options: HKStatisticsOptions, anchorDate: Date,
    intervalComponents: DateComponents
  ) async throws -> HKStatisticsCollection {
    guard let type = samples.first?.quantityType else { throw HKError(.errorNoData) }
    let store = HKHealthStore.inMemory()
    try await store.save(samples)
    return try await HKStatisticsCollectionQueryDescriptor(
      predicate: .quantitySample(type: type), options: options, anchorDate: anchorDate,
      intervalComponents: intervalComponents
    ).result(for: store)
  }
}

extension HKDeletedObject {
  /// Saves and deletes samples, and returns the deleted objects that an anchored query reports.
  ///
  /// - Parameter samples: The samples, which need not be in a store.
  /// - Returns: A deleted object for each sample, in their order.
  /// - Throws: `HKError` if the samples cannot be saved.
  public static func made(byDeleting samples: [HKSample]) async throws -> [HKDeletedObject] {
    let store = HKHealthStore.inMemory()
    try await store.save(samples)
    let predicates = Set(samples.map(\.sampleType)).map { HKSamplePredicate.sample(type: $0) }
    let saved = try await HKAnchoredObjectQueryDescriptor(predicates: predicates, anchor: nil)
      .result(for: store)
    try await store.delete(samples)
    let deleted = try await HKAnchoredObjectQueryDescriptor(
      predicates: predicates, anchor: saved.newAnchor
    ).result(for: store).deletedObjects
    let byIdentifier = Dictionary(uniqueKeysWithValues: deleted.map { ($0.uuid, $0) })
    return samples.compactMap { byIdentifier[$0.uuid] }
  }
}
