import Foundation
import SampleLog

/// The stores that this process has open, by directory and mode, so that each is opened once.
///
/// A store stays open for a while after its last handle has gone. A server makes a handle for each
/// request, and between two of them would close the store and replay its log. Such an idle store
/// closes early when its directory is opened in another way, and when too many are idle.
///
/// Opening and closing run outside the lock, so that a slow disk holds up only those who want the
/// same directory; they wait while a slot says so.
final class StoreRegistry: @unchecked Sendable {
  static let shared: StoreRegistry = {
    let registry = StoreRegistry()
    closeAtExit()
    return registry
  }()

  /// What there is at a key; nothing when it may be opened.
  enum Slot {
    /// A thread opens it.
    case opening
    case open(SharedStore)
    /// A thread closes it.
    case closing(SharedStore)

    var isClosing: Bool { if case .closing = self { true } else { false } }
  }

  /// What who wants a store has to do.
  private enum Claim {
    /// Use it: it counts one more user.
    case use(SharedStore)
    /// Close it and ask again.
    case close(SharedStore)
    /// Open it.
    case open
  }

  let clock: StoreClock
  /// The process that made it.
  let owner = ProcessInfo.processInfo.processIdentifier
  let maximumIdleCount: Int
  /// Where stores are closed: the last handle may go on one of Swift's threads, which must not wait
  /// for a disk, while workers wait to open the store again.
  let closers = WorkerPool(maximum: 64)
  let condition = NSCondition()
  // Guarded by the condition.
  var slots: [SharedStore.Key: Slot] = [:]
  /// Open stores without a user, in the order in which they lost it.
  var idle: [SharedStore] = []
  /// When the clock calls next.
  var wakeUp = Double.infinity
  // The default store stays open until it is closed, however many objects come and go.
  private let standard = Locked<OpenStore?>(nil)

  /// Keeps up to `maximumIdleCount` stores open that nobody uses; each has some files open.
  init(clock: StoreClock = .system, maximumIdleCount: Int = 16) {
    self.clock = clock
    self.maximumIdleCount = maximumIdleCount
    IdleHandles.add { [weak self] in self?.closeIdle($0) }
  }

  /// The store in a directory, which is made when it does not exist and is to be written to.
  func open(
    _ directory: URL, mode: OpenMode = .readWrite, options: Database.Options = Database.Options()
  ) throws -> OpenStore {
    if mode == .readWrite { try make(directory) }
    let key = SharedStore.Key(path: Self.canonicalPath(directory), mode: mode)
    while true {
      switch claim(key, options) {
      case .use(let shared):
        let store = OpenStore(shared, of: self)
        if shared.isUsable { return store }
        abandon(shared)
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

  /// Forgets a store whose directory holds another one; it closes with its last user.
  private func abandon(_ shared: SharedStore) {
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

  /// The store in the default directory, opened on first use and again after it was closed.
  func openStandard() throws -> OpenStore {
    try standard.withLock { standard in
      if let store = standard, !store.isClosed { return store }
      standard = nil
      let store = try open(Self.standardDirectory(ProcessInfo.processInfo.environment))
      standard = store
      return store
    }
  }

  /// The directory of the default store.
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
