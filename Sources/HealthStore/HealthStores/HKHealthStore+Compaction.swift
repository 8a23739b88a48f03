public import SampleLog

// Compaction of the whole store.
extension HKHealthStore {
  /// Merges files, drops deleted samples and removes deletion records older than the retention
  /// period.
  ///
  /// This is an addition to HealthKit. Reads and writes continue during compaction, and query
  /// results do not change. An anchor expires if it precedes a removed deletion record. If the task
  /// is cancelled, compaction stops: files that are already compacted stay so, and the next call
  /// continues from there.
  ///
  /// - Returns: The result of the compaction.
  /// - Throws: ``HKError`` if compaction fails, or if the store is closed or the process exits
  ///   during it, or with `errorInvalidArgument` if this object has a subject or comes from a
  ///   ``HealthDatabase``; in that case, use ``HealthDatabase/compact(progress:)``;
  ///   `CancellationError` if the task is cancelled. Query results are unchanged in each case.
  @discardableResult
  public func compact() async throws -> CompactionResult { try await compact { _ in } }

  /// Compacts the store as ``compact()`` does, and reports progress.
  ///
  /// - Parameter progress: Called periodically on the compacting thread, which blocks until it
  ///   returns.
  /// - Returns: The result of the compaction.
  /// - Throws: The same errors as ``compact()``.
  @preconcurrency
  @discardableResult
  public func compact(
    progress: @escaping @Sendable (CompactionProgress) -> Void
  ) async throws -> CompactionResult {
    let isCancelled = Locked(false)
    return try await withTaskCancellationHandler {
      try await wholeStore { store in
        do {
          // Merging large files takes long, and closing must not wait for it.
          return try store.database.compact(progress: progress) {
            store.isClosed || isCancelled.withLock { $0 }
          }
        } catch StoreError.cancelled {
          if store.isClosed { throw StoreError.closed }
          throw CancellationError()
        }
      }
    } onCancel: {
      isCancelled.withLock { $0 = true }
    }
  }
}
