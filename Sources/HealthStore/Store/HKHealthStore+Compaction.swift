public import SampleLog

extension HKHealthStore {
  /// Merges files, drops deleted samples and forgets deletions older than the retention.
  ///
  /// Our addition. Reading and writing go on meanwhile; answers stay the same. An anchor from
  /// before forgotten deletions expires. Cancelling the task ends the work: files that were
  /// compacted stay so, and another call goes on.
  ///
  /// - Returns: What was done.
  /// - Throws: ``HKError`` when it could not be done, also because the store was closed or the
  ///   process exits meanwhile; `CancellationError` when the task was cancelled. Every answer is
  ///   then as before.
  @discardableResult
  public func compact() async throws -> CompactionResult { try await compact { _ in } }

  /// The same, with word of how far it is.
  ///
  /// - Parameter progress: Called now and then, on the thread that compacts, which waits for it.
  /// - Returns: What was done.
  /// - Throws: As ``compact()``.
  @preconcurrency
  @discardableResult
  public func compact(
    progress: @escaping @Sendable (CompactionProgress) -> Void
  ) async throws -> CompactionResult {
    let isCancelled = Locked(false)
    return try await withTaskCancellationHandler {
      try await value { store, _ in
        do {
          // Closing must not wait for as long as merging large files may take.
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

extension HealthDatabase {
  /// Merges files, drops deleted samples and forgets deletions older than the retention.
  ///
  /// - Parameter progress: Called now and then, on the thread that compacts, which waits for it.
  /// - Returns: What was done.
  /// - Throws: As ``HKHealthStore/compact()``.
  @preconcurrency
  @discardableResult
  public func compact(
    progress: @escaping @Sendable (CompactionProgress) -> Void = { _ in }
  ) async throws -> CompactionResult {
    try await store().compact(progress: progress)
  }
}
