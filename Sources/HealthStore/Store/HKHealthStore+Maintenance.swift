public import Foundation
public import SampleLog

extension HKHealthStore {
  /// Makes everything that was saved without waiting for the disk durable.
  ///
  /// Our addition; needed only with the option `durability = .buffered`.
  ///
  /// - Throws: ``HKError`` with `errorDatabaseInaccessible` when that failed.
  public func flush() async throws {
    try await value { store, _ in try store.database.flush() }
  }

  /// Ends the use of the store by all objects of this process in the same mode, and all running
  /// feeds.
  ///
  /// Our addition. Later calls report `errorDatabaseInaccessible`; those of `HKHealthStore()`
  /// open the default store again. Other processes may write to the store once this returns.
  ///
  /// - Throws: ``HKError`` when buffered data could not be made durable.
  public func close() async throws {
    try Task.checkCancellation()
    let location = location
    try await withFencedContinuation { continuation in
      run({ try location.close() }) { continuation.resume(with: $0) }
    }
  }

  /// Figures about the store, of all subjects.
  ///
  /// Our addition.
  ///
  /// - Throws: ``HKError`` when the store cannot be read.
  public func statistics() async throws -> StoreStatistics {
    try await value { store, _ in try store.database.statistics() }
  }

  /// Makes a backup of the store, of all subjects, while reading and writing go on.
  ///
  /// Our addition. `Database.restore` and `healthstore restore` make a store of it.
  ///
  /// - Parameter directory: A directory that does not exist or is empty.
  /// - Returns: What the backup holds.
  /// - Throws: ``HKError`` when it could not be made: with `errorInvalidArgument` for a store in
  ///   memory, which has no files.
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
