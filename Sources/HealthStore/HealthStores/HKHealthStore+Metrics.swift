public import SampleLog

extension HKHealthStore {
  /// Returns metrics of the whole store, across all subjects, that are cheap to collect.
  ///
  /// Our addition, for monitoring a server. `StoreMetrics.prometheusText` renders them in
  /// Prometheus's text format. ``statistics()`` returns more detail and reads more from disk.
  ///
  /// - Throws: ``HKError`` with `errorDatabaseInaccessible` if the store is closed or cannot be
  ///   read.
  public func metrics() async throws -> StoreMetrics {
    try await value { store, _ in try store.database.metrics() }
  }
}

extension HealthDatabase {
  /// Returns metrics of the store that are cheap to collect, for monitoring a server.
  ///
  /// - Throws: The same errors as ``HKHealthStore/metrics()``.
  public func metrics() async throws -> StoreMetrics { try await store().metrics() }
}
