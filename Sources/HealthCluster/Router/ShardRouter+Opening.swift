internal import Dispatch
import Foundation
import HealthStore
import SampleLog
import SampleLogReplication

/// Opens and registers the copies of shards, and creates the confirmers of their commits.
extension ShardRouter {
  /// Reserves the slot of a shard while its copy is being opened.
  func reserve(_ name: String) throws(ShardError) -> Shard {
    let result = state.withLock { state -> Result<Shard, ShardError> in
      if state.isClosed { return .failure(.closed) }
      guard let shard = state.map.shard(named: name) else { return .failure(.unknownShard(name)) }
      if state.shards[name] != nil { return .failure(.isOpen(shard: name)) }
      state.shards[name] = .some(nil)
      return .success(shard)
    }
    return try result.get()
  }

  /// Registers an open copy, or closes it if the router was closed in the meantime.
  func put(_ open: OpenShard) throws {
    let isClosed = state.withLock { state in
      if !state.isClosed { state.shards[open.place.shard] = open }
      return state.isClosed
    }
    if isClosed {
      try open.close()
      throw ShardError.closed
    }
    open.start()
  }

  /// Throws if a directory holds another store than the shard's.
  ///
  /// Called before anything is published.
  func check(_ place: OpenShard.Place, isOf shard: Shard) throws {
    guard let expected = shard.storeID else { return }
    var options = Database.Options()
    options.toleratesDamage = place.options.toleratesDamage
    let database = try Database(
      path: place.path, mode: .readOnly, options: options, fileSystem: place.fileSystem)
    defer { try? database.close() }
    if database.storeID != expected {
      throw ShardError.wrongStore(
        shard: shard.name, expected: expected, found: database.storeID)
    }
  }

  func make(_ place: OpenShard.Place, as role: ShardStatus.Role) throws -> OpenShard {
    switch role {
    case .primary:
      return makePrimary(
        place,
        try Primary(
          path: place.path, transport: place.transport, options: place.options,
          fileSystem: place.fileSystem))
    case .replica:
      var options = place.options
      options.primaryName = address(place.shard)
      let replica = try Replica(
        path: place.path, transport: place.transport, options: options,
        fileSystem: place.fileSystem, name: place.holder)
      let loop = ReplicaLoop(
        replica, place.transport, onChange: report(place.shard))
      return OpenShard(place, .replica(loop), confirmer: confirmer(loop, of: place.shard))
    }
  }

  func makePrimary(_ place: OpenShard.Place, _ primary: Primary) -> OpenShard {
    let renewer = LeaseRenewer(
      primary, holder: place.holder, onChange: report(place.shard))
    return OpenShard(place, .primary(renewer), confirmer: confirmer(renewer))
  }

  // The returned confirmers retain the copy's renewer or loop, because objects may outlive the
  // router.

  private func confirmer(_ renewer: LeaseRenewer) -> CommitConfirmer {
    let (acknowledgement, timeout) = (acknowledgement, timeout)
    return CommitConfirmer(
      checkSaving: {},
      confirm: { last in
        let deadline = DispatchTime.now() + max(timeout, 0)
        while true {
          do {
            return try renewer.primary.confirm(through: last, acknowledgement, attempts: 1)
          } catch let error as ReplicationError {
            if let pause = error.confirmationPause, DispatchTime.now() < deadline {
              Thread.sleep(forTimeInterval: pause)
              continue
            }
            throw HKError.make(
              .errorDatabaseInaccessible, error.description, underlying: error)
          }
        }
      })
  }

  private func confirmer(_ loop: ReplicaLoop, of shard: String) -> CommitConfirmer {
    let address = address(shard)
    return CommitConfirmer(
      checkSaving: { [weak self] in
        // The current map may name another primary than the map at the time of opening.
        throw StoreError.replica(
          path: loop.database.path, primary: self?.address(shard) ?? address)
      },
      confirm: { _ in })
  }

  private func address(_ shard: String) -> String { map.shard(named: shard)?.primary ?? shard }

  /// Returns the function that a copy calls when its status has changed.
  private func report(_ shard: String) -> @Sendable () -> Void {
    { [weak self] in
      guard let self, let open = state.withLock({ $0.shards[shard] ?? nil }) else { return }
      onChange(open.status)
    }
  }
}

extension ReplicationError {
  /// The pause before retrying an unconfirmed commit, in seconds, or nil if retrying cannot
  /// succeed.
  fileprivate var confirmationPause: Double? {
    switch self {
    // A stream without a leader may report this immediately, so pause longer.
    case .notReplicated: 0.01
    case .notCopied: 0.001
    default: nil
    }
  }
}
