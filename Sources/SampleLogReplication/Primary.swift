internal import Dispatch
public import SampleLog

/// When a commit to a replicated store is acknowledged.
public enum Acknowledgement: Hashable, Sendable {
  /// When it is durable on the primary's disk. What is not published yet is lost if that disk is,
  /// or if another copy is promoted before.
  case local
  /// When the stream has it, too, and has accepted nothing of a newer epoch before it.
  case replicated
}

/// A store to save in whose commits go to replicas through a stream.
public final class Primary: Sendable {
  private struct State {
    var isScheduled = false
    var failure: (any Error)?
    var isClosed = false
  }

  /// The store.
  public let database: Database
  nonisolated(unsafe) private let publisher: Publisher
  /// Everything that touches the publisher runs here.
  private let queue = DispatchQueue(label: "samplelog.publish", qos: .userInitiated)
  private let state = Locked(State())

  /// Opens a store to save in, and publishes what its stream lacks.
  ///
  /// - Parameters:
  ///   - path: Its directory.
  ///   - transport: Its stream, which has nothing or the messages of this store.
  ///   - options: How it is opened.
  ///   - fileSystem: Where the directory is.
  /// - Throws: What opening a store throws; `StoreError.replica` for a replica.
  public init(
    path: String, transport: any StreamTransport, options: Database.Options = Database.Options(),
    fileSystem: any FileSystem = PosixFileSystem()
  ) throws {
    var options = options
    options.keepsSealedLogs = true
    database = try Database(path: path, options: options, fileSystem: fileSystem)
    publisher = Publisher(database, transport)
    database.whenDurable { [weak self] _ in self?.schedule() }
    schedule()
  }

  /// Commits a batch: all of it or nothing.
  ///
  /// - Parameters:
  ///   - batch: What to add and delete.
  ///   - acknowledgement: When to return.
  ///   - attempts: How often to ask the stream at most before giving up.
  /// - Returns: What it did.
  /// - Throws: What `Database.commit(_:durability:)` throws, after which nothing of the batch is
  ///   in the store; ``ReplicationError/notReplicated(through:)``, after which it is in this store
  ///   and may come to be in others; and `StoreError.fenced`, after which it may be in
  ///   this store, and is not in the history that goes on.
  @discardableResult
  public func commit(
    _ batch: Batch, acknowledgement: Acknowledgement = .local, attempts: Int = 1000
  ) throws -> CommitResult {
    let result = try database.commit(batch)
    guard acknowledgement == .replicated, let last = result.sequences?.upperBound else {
      return result
    }
    try database.flush()
    try queue.sync {
      var attempts = attempts
      while publisher.publishedThrough < last {
        guard attempts > 0 else { throw ReplicationError.notReplicated(through: last) }
        if try publisher.step() == .unresolved { attempts -= 1 }
      }
      // Another copy may have been promoted since, which the last answer does not tell.
      if let epoch = database.fencedBy { throw StoreError.fenced(epoch: epoch) }
    }
    return result
  }

  /// Looks whether the stream still ends with what this primary has published, and publishes what
  /// it has lost.
  ///
  /// A primary that saves nothing finds out only so that another was promoted; then ``failure``
  /// says so soon.
  public func check() {
    queue.async { [weak self] in
      self?.publisher.check()
      self?.schedule()
    }
  }

  /// The last sequence number that the stream has confirmed.
  public var publishedThrough: UInt64 { queue.sync { publisher.publishedThrough } }

  /// Why publishing has stopped; nil while it goes on.
  public var failure: (any Error)? { state.withLock { $0.failure } }

  /// Publishes everything durable and closes the store.
  ///
  /// - Throws: ``ReplicationError/notReplicated(through:)`` when the stream did not take all of it;
  ///   the store is closed then as well.
  public func close() throws {
    let isFirst = state.withLock { state in
      defer { state.isClosed = true }
      return !state.isClosed
    }
    guard isFirst else { return }
    database.whenDurable(nil)
    let end = database.end
    defer { try? database.close() }
    try database.flush()
    try queue.sync {
      var attempts = 100
      while attempts > 0 {
        switch try publisher.step() {
        case .idle: return
        case .unresolved: attempts -= 1
        case .accepted, .located: break
        }
      }
      throw ReplicationError.notReplicated(through: end)
    }
  }

  private func schedule(after seconds: Double = 0) {
    let isNew = state.withLock { state in
      if state.isScheduled || state.isClosed { return false }
      state.isScheduled = true
      return true
    }
    guard isNew else { return }
    queue.asyncAfter(deadline: .now() + seconds) { [weak self] in self?.publish() }
  }

  private func publish() {
    let isClosed = state.withLock { state in
      state.isScheduled = false
      return state.isClosed
    }
    if isClosed { return }
    do {
      while true {
        switch try publisher.step() {
        case .idle: return
        case .unresolved: return schedule(after: 0.05)
        case .accepted, .located: break
        }
      }
    } catch {
      state.withLock { $0.failure = error }
    }
  }

  /// Opens a replica that was promoted, closed since, to save in it.
  ///
  /// - Throws: What ``init(path:transport:options:fileSystem:)`` throws.
  public static func promote(
    _ path: String, transport: any StreamTransport, options: Database.Options = Database.Options(),
    fileSystem: any FileSystem = PosixFileSystem()
  ) throws -> Primary {
    try Database.promote(path, fileSystem: fileSystem)
    return try Primary(path: path, transport: transport, options: options, fileSystem: fileSystem)
  }
}
