public import Foundation
import HealthStore
public import SampleLog

extension ShardRouter {
  /// Compacts this process's copy of a shard, as `HealthDatabase.compact(progress:)` does.
  ///
  /// - Parameter name: The name of the shard.
  /// - Returns: The result of the compaction.
  /// - Throws: The errors of ``cohort(ofShard:)`` and of compaction.
  @discardableResult
  public func compact(shard name: String) async throws -> CompactionResult {
    try await local(shard: name).health.compact()
  }

  /// Creates a backup of this process's copy of a shard, as `HealthDatabase.backup(to:)` does.
  ///
  /// - Parameters:
  ///   - name: The name of the shard.
  ///   - directory: A directory that does not exist or is empty.
  /// - Returns: A description of the backup's contents.
  /// - Throws: The errors of ``cohort(ofShard:)`` and of the backup.
  @discardableResult
  public func backup(shard name: String, to directory: URL) async throws -> BackupResult {
    try await local(shard: name).health.backup(to: directory)
  }

  /// Returns statistics about this process's copy of a shard, across all subjects.
  ///
  /// - Parameter name: The name of the shard.
  /// - Returns: The statistics.
  /// - Throws: The errors of ``cohort(ofShard:)`` and of reading.
  public func storeStatistics(ofShard name: String) async throws -> StoreStatistics {
    try await local(shard: name).health.storeStatistics()
  }

  /// Returns metrics of this process's copy of a shard that are cheap to collect.
  ///
  /// - Parameter name: The name of the shard.
  /// - Returns: The metrics.
  /// - Throws: The errors of ``cohort(ofShard:)`` and of reading.
  public func metrics(ofShard name: String) async throws -> StoreMetrics {
    try await local(shard: name).health.metrics()
  }

  /// Returns the open shard with a name.
  func local(shard name: String) throws(ShardError) -> OpenShard {
    let (shard, open, isClosed) = state.withLock { state in
      (state.map.shard(named: name), state.shards[name] ?? nil, state.isClosed)
    }
    if isClosed { throw .closed }
    guard let shard else { throw .unknownShard(name) }
    guard let open else { throw .elsewhere(shard: name, primary: shard.primary) }
    return open
  }
}
