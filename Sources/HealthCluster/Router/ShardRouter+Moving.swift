import HealthStore
import SampleLog
import SampleLogReplication

extension ShardRouter {
  /// Switches to a later version of the map, with the current addresses of primaries.
  ///
  /// Open copies stay open. Passing the current map has no effect.
  ///
  /// - Parameters:
  ///   - map: The map.
  ///   - isForced: Whether to accept a map that moves slots between shards or changes the store of
  ///     a shard. Unless you have moved the data of the affected subjects, it will not be found.
  /// - Throws: ``ShardError/outdatedMap(version:current:)``, the errors of
  ///   ``ShardMap/checkCompatible(with:)`` unless forced, and ``ShardError/isOpen(shard:)`` if an
  ///   open shard is not in the map.
  public func use(_ map: ShardMap, isForced: Bool = false) throws {
    try state.withLock { state in
      if map == state.map { return }
      guard map.version > state.map.version else {
        throw ShardError.outdatedMap(version: map.version, current: state.map.version)
      }
      if !isForced { try map.checkCompatible(with: state.map) }
      for name in state.shards.keys where map.shard(named: name) == nil {
        throw ShardError.isOpen(shard: name)
      }
      state.map = map
    }
  }

  /// Promotes this process's replica of a shard to primary.
  ///
  /// Existing objects report `StoreError.closed` afterwards; ``store(subject:)`` returns new ones,
  /// which can save. While the store is being reopened, it throws as if the shard were elsewhere.
  /// The old primary, if it is still running, is fenced; it must then stop and rejoin as a replica
  /// (`Replica.rejoin`). Distribute a map that names the new primary to all processes, see
  /// ``ShardMap/naming(primary:of:)``.
  ///
  /// - Parameters:
  ///   - name: The name of the shard.
  ///   - waitsForLease: Whether to wait until the primary's lease has expired, which takes two
  ///     seconds after the primary has stopped. Pass false to replace a running primary.
  ///   - seconds: The maximum time to try, in seconds.
  /// - Throws: ``ShardError/notAReplica(shard:)``. Throws ``ShardError/hasPrimary(shard:)``,
  ///   ``ShardError/notPromoted(shard:)``, `ReplicationError.behind` if another replica is further
  ///   ahead, or `ReplicationError.unfinished`; replication then continues. Throws
  ///   `ReplicationError.needsBackup`, or the errors of opening a ``SampleLogReplication/Primary``;
  ///   the shard is then closed and must be reopened in its actual role.
  public func promote(
    _ name: String, waitsForLease: Bool = true, atMost seconds: Double = 30
  ) async throws {
    let found = state.withLock { $0.shards[name] ?? nil }
    guard let found, case .replica(let loop) = found.copy else {
      throw ShardError.notAReplica(shard: name)
    }
    let place = found.place
    try await loop.promote(
      name, holder: waitsForLease ? place.holder : nil, atMost: seconds)
    let isOpen = state.withLock { state in
      guard let open = state.shards[name] ?? nil, open === found else { return false }
      state.shards[name] = .some(nil)
      return true
    }
    guard isOpen else { throw ShardError.closed }
    do {
      let primary = try Primary.promote(
        place.path, transport: place.transport, options: place.options,
        fileSystem: place.fileSystem)
      try put(makePrimary(place, primary))
    } catch {
      state.withLock { _ = $0.shards.removeValue(forKey: name) }
      throw error
    }
    if let status = status.first(where: { $0.shard == name }) { onChange(status) }
  }
}
