public import Foundation
public import HealthStore
public import SampleLog
public import SampleLogReplication

/// The stores of many people on many machines, as one process of one machine has them.
///
/// A map says which shard has a person. Of each shard this process may have the primary, which
/// takes what is saved, or a replica, which follows it and answers questions, or nothing; then
/// another machine is to be asked.
///
/// Methods may be called from any thread.
public final class ShardRouter: Sendable {
  struct State {
    var map: ShardMap
    /// The shards that are open, and as nil those that are being opened or closed.
    var shards: [String: OpenShard?] = [:]
    var isClosed = false
  }

  let state: Locked<State>
  let acknowledgement: Acknowledgement
  let timeout: Double
  let onChange: @Sendable (ShardStatus) -> Void

  /// Creates a router of which nothing is open yet.
  ///
  /// - Parameters:
  ///   - map: Which shard has which people.
  ///   - acknowledgement: When a call that saves or deletes reports success.
  ///   - timeout: For how many seconds such a call asks a stream that does not confirm before it
  ///     fails; one that has been asked may take longer to answer.
  ///   - onChange: Called when a copy meets an error, goes on after one, needs a backup or is
  ///     fenced; on a thread of the copy's, which waits for it. It must not close anything.
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

  /// The map in use.
  public var map: ShardMap { state.withLock { $0.map } }

  // MARK: People

  /// Returns an object that sees one person's data, in whatever copy of it this process has.
  ///
  /// On a replica it answers queries, and observers and anchored queries report what comes from the
  /// primary. Saving reports `errorDatabaseInaccessible` there, with the engine's
  /// `StoreError.replica` below it, which names the primary's address.
  ///
  /// On a primary, saving and deleting report success when the commit is acknowledged as the
  /// router was told. With ``SampleLogReplication/Acknowledgement/replicated`` they report
  /// `errorDatabaseInaccessible` when the stream does not confirm it, with
  /// `ReplicationError.notReplicated` below it: the data *is* in this store then, queries show it,
  /// and it is published once the stream takes it. Do not save it again under other identifiers.
  /// The same holds of `StoreError.fenced`, which says that another copy was promoted, but that
  /// data never comes to be in the others.
  ///
  /// - Parameter subject: Whose data it is.
  /// - Returns: The object, which may be kept until the copy is closed or promoted; after that it
  ///   reports `StoreError.closed`, and another one is to be made.
  /// - Throws: ``ShardError/elsewhere(shard:primary:)`` with the address of whom to ask, and
  ///   ``ShardError/closed``.
  /// - Complexity: O(1), without a system call.
  public func store(subject: String) throws(ShardError) -> HKHealthStore {
    try local(subject).health.store(subject: subject)
  }

  /// The open shard of a person.
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
  /// A primary that does not exist yet is made unless the map has the store's identity; a replica
  /// is made before, of a backup, by `Replica.make` or `healthstore replica`. Blocks the calling
  /// thread.
  ///
  /// - Parameters:
  ///   - name: The shard.
  ///   - role: What the copy is.
  ///   - directory: Its directory.
  ///   - transport: The stream of the shard's store.
  ///   - options: How the store is opened.
  /// - Throws: ``ShardError``, such as ``ShardError/wrongStore(shard:expected:found:)``, with which
  ///   nothing of the directory was published; and what opening a primary or a replica throws, such
  ///   as `StoreError.replica` for a primary whose directory is a replica's.
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

  /// The same in any file system.
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

  /// The shards that are open here, in the order of the map.
  public var status: [ShardStatus] {
    let (map, shards) = state.withLock { ($0.map, $0.shards) }
    return map.shards.compactMap { (shards[$0.name] ?? nil)?.status }
  }

  /// Closes a shard's copy, for example to open it again after an error of its disk, or to make it
  /// of a backup; objects for its people report `StoreError.closed` from then on.
  ///
  /// Of a primary everything durable is published before. Blocks the calling thread.
  ///
  /// - Throws: ``ShardError/elsewhere(shard:primary:)`` for one that is not open,
  ///   ``ShardError/unknownShard(_:)``, and `ReplicationError.notReplicated` when the stream did
  ///   not take everything; it is closed then, too.
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

  /// Closes everything that is open; nothing can be opened any more.
  ///
  /// - Throws: The first error of those that closing each shard throws; all are closed then, too.
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
