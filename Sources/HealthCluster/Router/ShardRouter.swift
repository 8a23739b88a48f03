public import Foundation
public import HealthStore
public import SampleLog
public import SampleLogReplication

/// A process's router from subjects to the stores of a sharded, replicated cluster.
///
/// A map assigns each subject to a shard. For each shard, this process can have the primary, which
/// accepts writes, or a replica, which follows the primary and serves queries, or no copy; then
/// another machine must be asked.
///
/// Methods may be called from any thread.
public final class ShardRouter: Sendable {
  struct State {
    var map: ShardMap
    /// The open shards.
    ///
    /// A nil value marks a shard that is being opened or closed.
    var shards: [String: OpenShard?] = [:]
    var isClosed = false
  }

  let state: Locked<State>
  let acknowledgement: Acknowledgement
  let timeout: Double
  let onChange: @Sendable (ShardStatus) -> Void

  /// Creates a router without open shards.
  ///
  /// - Parameters:
  ///   - map: The map from subjects to shards.
  ///   - acknowledgement: The condition under which saving and deleting report success.
  ///   - timeout: The time for which such a call keeps retrying a stream that does not confirm, in
  ///     seconds. A pending request may exceed it.
  ///   - onChange: Called when a copy encounters an error, recovers, needs a backup or is fenced.
  ///     It runs on a thread of the copy, which blocks until it returns. It must not close
  ///     anything.
  @preconcurrency
  public init(
    _ map: ShardMap, acknowledgement: Acknowledgement = .local, timeout: Double = 10,
    onChange: @escaping @Sendable (ShardStatus) -> Void = { _ in }
  ) {
    state = Locked(State(map: map))
    self.acknowledgement = acknowledgement
    self.timeout = timeout
    self.onChange = onChange
  }

  /// The current map.
  public var map: ShardMap { state.withLock { $0.map } }

  // MARK: Subjects

  /// Returns an object that reads and writes one subject's data in this process's copy of its
  /// shard.
  ///
  /// On a replica the object serves queries, and observer and anchored queries report changes as
  /// they arrive from the primary. Saving reports `errorDatabaseInaccessible`, with the engine's
  /// `StoreError.replica`, which names the primary's address, as the underlying error.
  ///
  /// On a primary, saving and deleting report success once the commit is acknowledged according to
  /// the router's `acknowledgement`. With ``SampleLogReplication/Acknowledgement/replicated``,
  /// they report `errorDatabaseInaccessible` if the stream does not confirm the commit, with
  /// `ReplicationError.notReplicated` as the underlying error. The data *is* committed locally in
  /// this case: queries return it, and it is published once the stream accepts it. Do not save it
  /// again under other identifiers. The same applies to `StoreError.fenced`, which means that
  /// another copy was promoted, except that the data will never reach the other copies.
  ///
  /// - Parameter subject: The subject.
  /// - Returns: The object. It is valid until the copy is closed or promoted; after that it
  ///   reports `StoreError.closed`, and a new one must be requested.
  /// - Throws: ``ShardError/elsewhere(shard:primary:)`` with the address of the primary, and
  ///   ``ShardError/closed``.
  /// - Complexity: O(1), without a system call.
  public func store(subject: String) throws(ShardError) -> HKHealthStore {
    try local(subject).health.store(subject: subject)
  }

  /// Returns the open shard of a subject.
  func local(_ subject: String) throws(ShardError) -> OpenShard {
    let (shard, open, isClosed) = state.withLock { state in
      let shard = state.map.shard(of: subject)
      return (shard, state.shards[shard.name] ?? nil, state.isClosed)
    }
    if isClosed { throw .closed }
    guard let open else { throw .elsewhere(shard: shard.name, primary: shard.primary) }
    return open
  }

  // MARK: Copies

  /// Opens a copy of a shard's store.
  ///
  /// A primary that does not exist yet is created, unless the map specifies the store's identity. A
  /// replica must already have been created from a backup, by `Replica.make` or `healthstore
  /// replica`. Blocks the calling thread.
  ///
  /// - Parameters:
  ///   - name: The name of the shard.
  ///   - role: The role of the copy.
  ///   - directory: The directory of the copy.
  ///   - transport: The stream of the shard's store.
  ///   - options: Options for opening the store.
  /// - Throws: ``ShardError``, such as ``ShardError/wrongStore(shard:expected:found:)``, after
  ///   which nothing from the directory has been published, and the errors of opening a primary or
  ///   a replica, such as `StoreError.replica` for a primary whose directory holds a replica.
  public func open(
    _ name: String, as role: ShardStatus.Role, in directory: URL,
    transport: any StreamTransport, options: HKHealthStore.Options = HKHealthStore.Options()
  ) throws {
    try open(
      OpenShard.Place(
        shard: name, path: directory.path, transport: transport, options: options,
        fileSystem: PosixFileSystem()),
      as: role)
  }

  /// Opens a copy of a shard's store in any file system.
  func open(_ place: OpenShard.Place, as role: ShardStatus.Role) throws {
    let shard = try reserve(place.shard)
    do {
      try check(place, isOf: shard)
      try put(try make(place, as: role))
    } catch {
      state.withLock { _ = $0.shards.removeValue(forKey: place.shard) }
      throw error
    }
  }

  /// The status of the open shards, in the order of the map.
  public var status: [ShardStatus] {
    let (map, shards) = state.withLock { ($0.map, $0.shards) }
    return map.shards.compactMap { (shards[$0.name] ?? nil)?.status }
  }

  /// Closes a shard's copy, for example to reopen it after a disk error or to recreate it from a
  /// backup.
  ///
  /// Objects for its subjects report `StoreError.closed` from then on.
  ///
  /// A primary publishes all durable commits first. Blocks the calling thread.
  ///
  /// - Throws: ``ShardError/elsewhere(shard:primary:)`` if the shard is not open,
  ///   ``ShardError/unknownShard(_:)``, and `ReplicationError.notReplicated` if the stream did not
  ///   accept everything; the copy is closed in this case, too.
  public func close(_ name: String) throws {
    let open = try state.withLock { state in
      guard let shard = state.map.shard(named: name) else {
        throw ShardError.unknownShard(name)
      }
      guard let open = state.shards[name] ?? nil else {
        throw ShardError.elsewhere(shard: name, primary: shard.primary)
      }
      state.shards[name] = .some(nil)
      return open
    }
    defer { state.withLock { _ = $0.shards.removeValue(forKey: name) } }
    try open.close()
  }

  /// Closes all copies.
  ///
  /// No copy can be opened afterwards.
  ///
  /// - Throws: The first error of closing a shard. All shards are closed in this case, too.
  public func close() throws {
    let open = state.withLock { state in
      state.isClosed = true
      defer { state.shards = [:] }
      return state.shards.values.compactMap { $0 }
    }
    var failure: (any Error)?
    for one in open {
      do {
        try one.close()
      } catch {
        failure = failure ?? error
      }
    }
    if let failure { throw failure }
  }
}
