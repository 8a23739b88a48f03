public import Foundation
public import SampleLog

// Operations on the whole store: flush, compaction, statistics and backup.
extension HealthDatabase {
  /// Makes all buffered commits durable.
  ///
  /// Needed only if the store was opened with `durability = .buffered`.
  ///
  /// - Throws: ``HKError`` with `errorDatabaseInaccessible` if the flush fails.
  public func flush() async throws { try await wholeStore().flush() }

  /// Merges files, drops deleted samples and removes deletion records older than the retention
  /// period.
  ///
  /// - Parameter progress: Called periodically on the compacting thread, which blocks until it
  ///   returns.
  /// - Returns: The result of the compaction.
  /// - Throws: The same errors as ``HKHealthStore/compact()``.
  @preconcurrency
  @discardableResult
  public func compact(
    progress: @escaping @Sendable (CompactionProgress) -> Void = { _ in }
  ) async throws -> CompactionResult {
    try await wholeStore().compact(progress: progress)
  }

  /// Returns statistics about the store, across all subjects.
  ///
  /// - Throws: ``HKError`` if the store cannot be read.
  public func storeStatistics() async throws -> StoreStatistics {
    try await wholeStore().storeStatistics()
  }

  /// Returns metrics of the store that are cheap to collect, for monitoring a server.
  ///
  /// `StoreMetrics.prometheusText` renders them in Prometheus's text format.
  ///
  /// - Throws: ``HKError`` with `errorDatabaseInaccessible` if the store is closed or cannot be
  ///   read.
  public func metrics() async throws -> StoreMetrics { try await wholeStore().metrics() }

  /// Creates a backup of the store, across all subjects, while reads and writes continue.
  ///
  /// `Database.restore` and `healthstore restore` turn the backup into a store.
  ///
  /// - Parameter directory: A directory that does not exist or is empty.
  /// - Returns: A description of the backup's contents.
  /// - Throws: ``HKError`` if the backup fails, with `errorInvalidArgument` for a store in memory,
  ///   which has no files.
  @discardableResult
  public func backup(to directory: URL) async throws -> BackupResult {
    try await wholeStore().backup(to: directory)
  }
}
