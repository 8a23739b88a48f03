public import Foundation
public import SampleLog

extension HKHealthStore {
  /// Makes all buffered commits durable.
  ///
  /// Our addition. Needed only if the store was opened with `durability = .buffered`.
  ///
  /// - Throws: ``HKError`` with `errorDatabaseInaccessible` if the flush fails.
  public func flush() async throws {
    try await value { store, _ in try store.database.flush() }
  }

  /// Closes the store for all objects of this process that share it in the same mode, and ends all
  /// running feeds.
  ///
  /// Our addition. Later calls report `errorDatabaseInaccessible`, except that objects made with
  /// `HKHealthStore()` open the default store again. Once this returns, another process can open
  /// the store for writing.
  ///
  /// - Throws: ``HKError`` if buffered data cannot be made durable.
  public func close() async throws {
    let location = location
    try await result { try location.close() }
  }

  /// Returns statistics about the whole store, across all subjects.
  ///
  /// Our addition.
  ///
  /// - Throws: ``HKError`` if the store cannot be read.
  public func statistics() async throws -> StoreStatistics {
    try await value { store, _ in try store.database.statistics() }
  }

  /// Creates a backup of the whole store, across all subjects, while reads and writes continue.
  ///
  /// Our addition. `Database.restore` and `healthstore restore` turn the backup into a store.
  ///
  /// - Parameter directory: A directory that does not exist or is empty.
  /// - Returns: A description of the backup's contents.
  /// - Throws: ``HKError`` if the backup fails, with `errorInvalidArgument` for a store in memory,
  ///   which has no files.
  @discardableResult
  public func backup(to directory: URL) async throws -> BackupResult {
    if case .memory = location {
      throw HKError.make(
        .errorInvalidArgument,
        "A store in memory cannot be backed up; make one with a directory to keep its data.")
    }
    return try await value { store, _ in try store.database.backup(to: directory.path) }
  }
}
