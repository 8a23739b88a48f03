import HealthStore
import SampleLog
import SampleLogReplication

extension ShardRouter {
  /// Takes a later version of the map, which says where primaries are now.
  ///
  /// What is open stays so. The map in use again changes nothing.
  ///
  /// - Parameters:
  ///   - map: The map.
  ///   - isForced: Whether slots may have another shard than before, and shards another store. The
  ///     people of these slots are then looked for where their data is not, unless you have moved
  ///     it.
  /// - Throws: ``ShardError/outdatedMap(version:current:)``, what
  ///   ``ShardMap/checkCompatible(with:)`` throws unless it is forced, and
  ///   ``ShardError/isOpen(shard:)`` for one that the map has no more.
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

  /// Makes this process's replica of a shard the primary.
  ///
  /// Objects made before report `StoreError.closed` afterwards; ``store(subject:)`` makes new ones,
  /// which save. While the store is opened again it throws as if the shard were elsewhere. The old
  /// primary, if it still runs, is fenced; its process ends then and comes back with a replica
  /// (`Replica.rejoin`). Give all processes a map that names this one: see
  /// ``ShardMap/naming(primary:of:)``.
  ///
  /// - Parameters:
  ///   - name: The shard.
  ///   - waitsForLease: Whether to wait until the primary's lease has ended, two seconds after it
  ///     is gone; not for a primary that should be replaced while it works.
  ///   - seconds: For how long to try.
  /// - Throws: ``ShardError/notAReplica(shard:)``, ``ShardError/hasPrimary(shard:)``
  ///   and ``ShardError/notPromoted(shard:)``, `ReplicationError.behind` when another replica has
  ///   more and `ReplicationError.unfinished`, after which the replica follows on;
  ///   `ReplicationError.needsBackup`; and what opening a ``SampleLogReplication/Primary`` throws,
  ///   after which the shard is not open and is to be opened as what it is then.
  public func promote(
    _ name: String, waitsForLease: Bool = true, atMost seconds: Double = 30
  ) async throws {
    let found = state.withLock { $0.shards[name] ?? nil }
    guard let found, case .replica(let follower) = found.copy else {
      throw ShardError.notAReplica(shard: name)
    }
    let place = found.place
    try await follower.promote(
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
