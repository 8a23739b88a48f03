import Foundation
import SampleLog

/// The open stores of this process, by directory and mode.
///
/// Each store is opened only once.
///
/// A store stays open for a while after its last handle is released: a server creates a handle per
/// request, and would otherwise close the store and replay its log between two requests. An idle
/// store closes early if its directory is opened in another way, or if too many stores are idle.
///
/// Stores are opened and closed outside the lock, so a slow disk delays only threads that need the
/// same directory. Such threads wait for the slot's state to change.
final class StoreRegistry: DatabaseDelegate, @unchecked Sendable {
  static let shared: StoreRegistry = {
    let registry = StoreRegistry()
    closeAtExit()
    return registry
  }()

  /// The state of a directory and mode.
  ///
  /// A missing slot means that the store can be opened.
  enum Slot {
    /// A thread is opening the store.
    case opening
    case open(SharedStore)
    /// A thread is closing the store.
    case closing(SharedStore)

    var isClosing: Bool { if case .closing = self { true } else { false } }
  }

  /// The caller's next action.
  private enum Claim {
    /// Use the store. Its user count already includes the caller.
    case use(SharedStore)
    /// Close the store and claim it again.
    case close(SharedStore)
    /// Open the store.
    case open
  }

  let clock: StoreClock
  /// The identifier of the process that created the registry.
  let owner = ProcessInfo.processInfo.processIdentifier
  let maximumIdleCount: Int
  /// The threads that close stores.
  ///
  /// The last handle may be released on one of Swift's cooperative threads, which must not block on
  /// disk I/O, and the workers may all be waiting to reopen the store.
  let closers = WorkerPool(maximum: 64)
  let condition = NSCondition()
  // Guarded by the condition.
  var slots: [SharedStore.Key: Slot] = [:]
  /// The open stores without users, least recently used first.
  var idle: [SharedStore] = []
  /// The time of the next scheduled timer.
  var wakeUp = Double.infinity
  // The default store stays open until it is closed explicitly, regardless of the objects that use
  // it.
  private let standard = Locked<OpenStore?>(nil)

  /// Creates a registry that keeps at most `maximumIdleCount` idle stores open.
  ///
  /// Each holds open files.
  init(clock: StoreClock = .system, maximumIdleCount: Int = 16) {
    self.clock = clock
    self.maximumIdleCount = maximumIdleCount
    Database.addOpeningDelegate(self)
  }

  /// Returns the store in a directory, which is created if it does not exist and the mode allows
  /// writing.
  ///
  /// - Throws: ``HKStoreOptionsError`` if the store is in use with other options.
  func open(
    _ directory: URL, mode: OpenMode = .readWrite, options: Database.Options = Database.Options()
  ) throws -> OpenStore {
    if mode == .readWrite { try make(directory) }
    let key = SharedStore.Key(path: Self.canonicalPath(directory), mode: mode)
    while true {
      switch claim(key, options) {
      case .use(let shared):
        let store = OpenStore(shared, of: self)
        guard shared.isUsable else {
          evict(shared)
          continue
        }
        try shared.check(options)
        return store
      case .close(let shared):
        finish(shared)
      case .open:
        do {
          let shared = try SharedStore(key, options: options, clock: clock)
          shared.users = 1
          set(.open(shared), at: key)
          return OpenStore(shared, of: self)
        } catch {
          set(nil, at: key)
          throw error
        }
      }
    }
  }

  private func claim(_ key: SharedStore.Key, _ options: Database.Options) -> Claim {
    condition.lock()
    defer { condition.unlock() }
    while true {
      switch slots[key] {
      case nil:
        slots[key] = .opening
        return .open
      case .opening, .closing:
        condition.wait()
      case .open(let shared):
        if shared.users == 0 {
          idle.removeAll { $0 === shared }
          guard shared.options == options else {
            beginClosing(shared)
            return .close(shared)
          }
        }
        shared.users += 1
        return .use(shared)
      }
    }
  }

  func set(_ slot: Slot?, at key: SharedStore.Key) {
    condition.lock()
    slots[key] = slot
    condition.broadcast()
    condition.unlock()
  }

  /// Removes a store whose directory now holds another one.
  ///
  /// It closes when its last user releases it.
  private func evict(_ shared: SharedStore) {
    condition.lock()
    defer { condition.unlock() }
    if isOpen(shared) { slots[shared.key] = nil }
  }

  static func canonicalPath(_ directory: URL) -> String {
    directory.resolvingSymlinksInPath().standardizedFileURL.path
  }

  private func make(_ directory: URL) throws {
    do {
      try FileManager.default.createDirectory(
        at: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      let cause = ((error as NSError).userInfo[NSUnderlyingErrorKey] as? any Error) ?? error
      let reason =
        (cause as NSError).domain == NSPOSIXErrorDomain
        ? ": " + String(cString: strerror(Int32(truncatingIfNeeded: (cause as NSError).code))) : ""
      throw HKError.make(
        .errorDatabaseInaccessible,
        "The directory \(directory.path) cannot be made\(reason); name another one.",
        underlying: cause)
    }
  }

  /// Returns the store in the default directory, opened on first use and again after it was
  /// closed.
  func openStandard() throws -> OpenStore {
    try standard.withLock { standard in
      if let store = standard, !store.isClosed { return store }
      standard = nil
      let store = try open(Self.standardDirectory(ProcessInfo.processInfo.environment))
      standard = store
      return store
    }
  }

  /// Returns the directory of the default store.
  static func standardDirectory(_ environment: [String: String]) -> URL {
    func directory(_ name: String) -> URL? {
      guard let path = environment[name], !path.isEmpty else { return nil }
      return URL(fileURLWithPath: path, isDirectory: true)
    }
    if let directory = directory("HEALTHSTORE_PATH") { return directory }
    if let data = directory("XDG_DATA_HOME") { return data.appendingPathComponent("healthstore") }
    return FileManager.default.homeDirectoryForCurrentUser
      .appendingPathComponent(".local/share/healthstore")
  }
}
