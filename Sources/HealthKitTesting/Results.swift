public import HealthKit

// What HealthKit gives no initialisers for: made as a store makes them, in one of its own.

extension HKStatistics {
  /// Computes the statistics of samples of one type, as a statistics query does.
  ///
  /// - Parameters:
  ///   - samples: The samples, of which none need be in a store.
  ///   - options: What to compute.
  /// - Returns: The statistics.
  /// - Throws: `HKError` with `errorNoData` when there are no samples.
  /// - Precondition: The type allows the options.
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
  /// Computes the statistics of samples of one type by intervals, as a statistics collection query
  /// does.
  ///
  /// - Parameters:
  ///   - samples: The samples, of which none need be in a store.
  ///   - options: What to compute.
  ///   - anchorDate: Where an interval begins.
  ///   - intervalComponents: The length of an interval, with the calendar to count it in.
  /// - Returns: The collection.
  /// - Throws: `HKError` with `errorNoData` when there are no samples.
  /// - Precondition: The type allows the options, and the components are an interval.
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
  /// Saves samples, deletes them, and returns what an anchored query reports of that.
  ///
  /// - Parameter samples: The samples, of which none need be in a store.
  /// - Returns: A deleted object for each sample, in their order.
  /// - Throws: `HKError` when the samples cannot be saved.
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
