public import Foundation
public import SampleLog

// Methods that operate on the whole store. They work on an object without a subject that opened the
// store itself, as an app expects, and on a `HealthDatabase`. An object with a subject, or one that
// a `HealthDatabase` returned, throws, so that a request of one subject cannot affect the others.

extension HKHealthStore {
  /// Makes all buffered commits durable.
  ///
  /// This is an addition to HealthKit. Needed only if the store was opened with `durability =
  /// .buffered`.
  ///
  /// - Throws: ``HKError`` with `errorDatabaseInaccessible` if the flush fails, or with
  ///   `errorInvalidArgument` if this object has a subject or comes from a ``HealthDatabase``; in
  ///   that case, use ``HealthDatabase/flush()``.
  public func flush() async throws {
    try await wholeStore { try $0.database.flush() }
  }

  /// Closes this object, or the store if this object has no subject and opened the store itself.
  ///
  /// This is an addition to HealthKit.
  ///
  /// An object with a subject, or one that a ``HealthDatabase`` returned, is released: its later
  /// calls report `errorDatabaseInaccessible`, and other objects are not affected. Calls and
  /// queries in progress continue, as if the last reference to the object had been released.
  ///
  /// Any other object closes the store for all objects of this process that share it in the same
  /// mode, and ends all running feeds. Later calls report `errorDatabaseInaccessible`, except that
  /// objects made with `HKHealthStore()` open the default store again. Once this returns, another
  /// process can open the store for writing.
  ///
  /// - Throws: ``HKError`` if buffered data cannot be made durable.
  public func close() async throws {
    if coversStore {
      let location = location
      try await result { try location.close() }
    } else {
      // The store may close with its last object, so it is released outside of the lock.
      let released = state.withLock { state in
        defer { state.location = .closed }
        return state.location
      }
      withExtendedLifetime(released) {}
    }
  }

  /// Returns statistics about the whole store, across all subjects.
  ///
  /// This is an addition to HealthKit.
  ///
  /// - Throws: ``HKError`` if the store cannot be read, or with `errorInvalidArgument` if this
  ///   object has a subject or comes from a ``HealthDatabase``; in that case, use
  ///   ``HealthDatabase/storeStatistics()``.
  public func storeStatistics() async throws -> StoreStatistics {
    try await wholeStore { try $0.database.statistics() }
  }

  /// Returns metrics of the whole store, across all subjects, that are cheap to collect.
  ///
  /// This is an addition for monitoring a server. `StoreMetrics.prometheusText` renders them in
  /// Prometheus's text format. ``storeStatistics()`` returns more detail and reads more from disk.
  ///
  /// - Throws: ``HKError`` with `errorDatabaseInaccessible` if the store is closed or cannot be
  ///   read, or with `errorInvalidArgument` if this object has a subject or comes from a
  ///   ``HealthDatabase``; in that case, use ``HealthDatabase/metrics()``.
  public func metrics() async throws -> StoreMetrics {
    try await wholeStore { try $0.database.metrics() }
  }

  /// Creates a backup of the whole store, across all subjects, while reads and writes continue.
  ///
  /// This is an addition to HealthKit. `Database.restore` and `healthstore restore` turn the backup
  /// into a store.
  ///
  /// - Parameter directory: A directory that does not exist or is empty.
  /// - Returns: A description of the backup's contents.
  /// - Throws: ``HKError`` if the backup fails, with `errorInvalidArgument` for a store in memory,
  ///   which has no files, and if this object has a subject or comes from a ``HealthDatabase``; in
  ///   that case, use ``HealthDatabase/backup(to:)``.
  @discardableResult
  public func backup(to directory: URL) async throws -> BackupResult {
    try await wholeStore { store in
      if store.isInMemory {
        throw HKError.make(
          .errorInvalidArgument,
          "A store in memory cannot be backed up; make one with a directory to keep its data.")
      }
      return try store.database.backup(to: directory.path)
    }
  }
}
