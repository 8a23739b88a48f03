public import SampleLog

extension HKHealthStore {
  /// Figures about the store that cost little to have, of all subjects.
  ///
  /// Our addition, for a server's monitoring; `StoreMetrics.prometheusText` is what Prometheus
  /// reads. ``statistics()`` has more and reads more.
  ///
  /// - Throws: ``HKError`` with `errorDatabaseInaccessible` when the store is closed or cannot be
  ///   read.
  public func metrics() async throws -> StoreMetrics {
    try await value { store, _ in try store.database.metrics() }
  }
}

extension HealthDatabase {
  /// Figures about the store that cost little to have, for a server's monitoring.
  ///
  /// - Throws: As ``HKHealthStore/metrics()``.
  public func metrics() async throws -> StoreMetrics { try await store().metrics() }
}
