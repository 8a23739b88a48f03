import Foundation
import SampleLog

// Releases and closes stores, including idle ones.
extension StoreRegistry {
  /// Releases a handle.
  ///
  /// A store becomes idle when its last handle is released.
  func release(_ shared: SharedStore) {
    condition.lock()
    shared.users -= 1
    var surplus: SharedStore?
    if shared.users == 0, isOpen(shared) {
      shared.idleUntil = clock.now() + max(shared.options.idleTimeout.seconds, 0)
      idle.append(shared)
      if shared.options.idleTimeout > .zero {
        if idle.count > maximumIdleCount { surplus = idle[0] }
      } else {
        surplus = shared
      }
      if let surplus { beginClosing(surplus) }
      scheduleWakeUp()
    } else if shared.users == 0, !shared.database.isClosed {
      // The directory now holds another store, so this one is no longer in the registry.
      closers.async { shared.finish() }
    }
    condition.unlock()
    if let surplus { closeLater(surplus) }
  }

  /// Closes a store for all its users.
  ///
  /// - Throws: An error if buffered commits cannot be made durable.
  func close(_ shared: SharedStore) throws {
    condition.lock()
    while case .closing(let other) = slots[shared.key], other === shared { condition.wait() }
    let isMine = isOpen(shared)
    if isMine { beginClosing(shared) }
    condition.unlock()
    defer { if isMine { set(nil, at: shared.key) } }
    try shared.database.close()
  }

  func databaseWillOpen(at path: String) { closeIdle(path) }

  /// Closes the idle stores of a directory, and waits for those that are being closed.
  func closeIdle(_ path: String) {
    condition.lock()
    let isIdle = !idle.isEmpty || slots.values.contains { $0.isClosing }
    condition.unlock()
    // Resolving the path requires system calls, so avoid it in the common case.
    guard isIdle else { return }
    let path = Self.canonicalPath(URL(fileURLWithPath: path, isDirectory: true))
    for mode in [OpenMode.readWrite, .readOnly] {
      let key = SharedStore.Key(path: path, mode: mode)
      condition.lock()
      while slots[key]?.isClosing == true { condition.wait() }
      let unused = idle.first { $0.key == key }
      if let unused { beginClosing(unused) }
      condition.unlock()
      if let unused { finish(unused) }
    }
  }

  /// Closes all stores when the process exits, including those in use.
  ///
  /// This makes buffered commits durable and spares the next process a log replay.
  static func closeAtExit() {
    atexit {
      let registry = StoreRegistry.shared
      // A forked process inherits the handler, but neither the threads nor the locks.
      if ProcessInfo.processInfo.processIdentifier == registry.owner { registry.closeAll() }
    }
  }

  /// Closes all stores, and waits for those that are being closed.
  func closeAll() {
    condition.lock()
    let open = slots.values.compactMap { slot in
      if case .open(let shared) = slot { shared } else { nil }
    }
    for shared in open { beginClosing(shared) }
    condition.unlock()
    for shared in open { finish(shared) }
    condition.lock()
    while slots.values.contains(where: \.isClosing) { condition.wait() }
    condition.unlock()
  }

  /// Closes the stores whose idle timeout has expired.
  private func closeExpired() {
    condition.lock()
    wakeUp = .infinity
    let now = clock.now()
    let expired = idle.filter { $0.idleUntil <= now }
    for shared in expired { beginClosing(shared) }
    scheduleWakeUp()
    condition.unlock()
    for shared in expired { closeLater(shared) }
  }

  private func closeLater(_ shared: SharedStore) { closers.async { self.finish(shared) } }

  func finish(_ shared: SharedStore) {
    shared.finish()
    set(nil, at: shared.key)
  }

  // MARK: With the lock held

  func isOpen(_ shared: SharedStore) -> Bool {
    if case .open(let other) = slots[shared.key] { other === shared } else { false }
  }

  func beginClosing(_ shared: SharedStore) {
    slots[shared.key] = .closing(shared)
    idle.removeAll { $0 === shared }
  }

  /// Schedules the timer for the next idle timeout.
  private func scheduleWakeUp() {
    guard let next = idle.map(\.idleUntil).min(), next < wakeUp else { return }
    wakeUp = next
    clock.schedule(next - clock.now()) { [weak self] in self?.closeExpired() }
  }
}
