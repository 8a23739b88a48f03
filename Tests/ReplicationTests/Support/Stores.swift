import SampleLog
import SampleLogReplication

@testable import SampleLogSimulation

/// A primary, its stream and replicas in memory, without faults.
final class Stores {
  let files = MemoryFileSystem()
  let stream = SimulatedStream(seed: 1)
  /// The same stream with a lock, for tests that use a `Primary` and several threads.
  let shared: SharedStream

  init() { shared = SharedStream(stream) }

  static func options(_ change: (inout Database.Options) -> Void = { _ in }) -> Database.Options {
    var options = Database.Options()
    options.sealsInBackground = false
    options.keepsSealedLogs = true
    options.clock = { 1_000_000 }
    change(&options)
    return options
  }

  func open(
    _ path: String = "primary", _ change: (inout Database.Options) -> Void = { _ in }
  ) throws -> Database {
    try Database(path: path, options: Self.options(change), fileSystem: files)
  }

  /// Creates an empty replica.
  func makeReplica(_ path: String, of database: Database) throws {
    try Database.makeReplica(
      ofStore: database.storeID, epoch: 1, at: path, of: "the primary", options: Self.options(),
      fileSystem: files)
  }

  func replica(_ path: String, _ transport: (any StreamTransport)? = nil) throws -> Replica {
    try Replica(
      path: path, transport: transport ?? stream, options: Self.options(), fileSystem: files)
  }

  func makeReplica(_ path: String, fromBackupOf database: Database) throws -> Replica {
    try database.backup(to: path + "-backup")
    try Database.makeReplica(
      from: path + "-backup", at: path, of: "the primary", options: Self.options(),
      fileSystem: files)
    return try replica(path)
  }

  /// Closes a promoted replica and opens it as a primary's store.
  func open(promoted replica: Replica) throws -> Database {
    try replica.close()
    try Database.promote(replica.database.path, fileSystem: files)
    return try open(replica.database.path)
  }

  /// A copy of the stream, whose messages from now on the stream does not get.
  func fork() throws -> SimulatedStream {
    let copy = SimulatedStream(seed: 2)
    for message in stream.everything() {
      _ = try copy.append(message.bytes, expecting: copy.last)
    }
    return copy
  }
}

/// A stream whose answers are stale, while appends are checked against its present state.
final class OldAnswers: ForwardingStream {
  let stream: SimulatedStream
  private let limit: Locked<UInt64>

  init(_ stream: SimulatedStream, through limit: UInt64) {
    self.stream = stream
    self.limit = Locked(limit)
  }

  /// Limits the messages that answers contain.
  func end(through limit: UInt64) { self.limit.withLock { $0 = limit } }

  func end() throws -> UInt64 { min(try stream.end(), limit.withLock { $0 }) }

  func read(from sequence: UInt64, limit count: Int) throws -> [StreamMessage] {
    let last = limit.withLock { $0 }
    return try stream.read(from: sequence, limit: count).filter { $0.sequence <= last }
  }
}

extension Database {
  /// A batch with one sample.
  func batch(_ value: Double) -> Batch {
    var batch = Batch()
    batch.add(
      to: SeriesKey(subject: symbols.intern("ada"), type: symbols.intern("heartRate")),
      start: value, value: value)
    return batch
  }

  @discardableResult
  func save(
    _ values: Double..., subject: String = "ada", durability: Durability = .durable
  ) throws -> [Identifier] {
    var batch = Batch()
    let key = SeriesKey(subject: symbols.intern(subject), type: symbols.intern("heartRate"))
    let ids = values.map { _ in Identifier(high: 7, low: UInt64.random(in: 0 ... .max)) }
    for (value, id) in zip(values, ids) { batch.add(to: key, id: id, start: value, value: value) }
    try commit(batch, durability: durability)
    return ids
  }

  func delete(_ id: Identifier) throws {
    var batch = Batch()
    batch.delete(id)
    try commit(batch)
  }

  /// The values of all live samples.
  var values: [Double] {
    get throws {
      let snapshot = snapshot()
      return try snapshot.select(snapshot.series).map { $0.block.value[$0.row] }.sorted()
    }
  }
}

extension Publisher {
  /// Publishes everything durable.
  func publishAll() throws {
    while true {
      switch try step() {
      case .idle: return
      case .blocked: throw gap.map { ReplicationError.gap($0) } ?? .anotherStore
      case .accepted, .located, .unresolved: break
      }
    }
  }
}

extension Replica {
  /// Applies all messages of the stream.
  func catchUp() throws {
    while try step() != .idle {}
  }
}

extension Promotion {
  func finish() throws {
    for _ in 0..<20 {
      if try step() == .promoted { return }
    }
    throw ReplicationError.notReplicated(through: 0)
  }
}
