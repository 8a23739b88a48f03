import Foundation
import SampleLog

extension StoreRegistry {
  /// Takes note that a handle has gone; the last one leaves its store idle.
  func release(_ shared: SharedStore) {
    condition.lock()
    shared.users -= 1
    var surplus: SharedStore?
    if shared.users == 0, isOpen(shared) {
      shared.idleUntil = clock.now() + max(shared.options.idleTimeout, 0)
      idle.append(shared)
      if shared.options.idleTimeout > 0 {
        if idle.count > maximumIdleCount { surplus = idle[0] }
      } else {
        surplus = shared
      }
      if let surplus { beginClosing(surplus) }
      scheduleWakeUp()
    } else if shared.users == 0, !shared.database.isClosed {
      // Its directory holds another store by now.
      closers.async { shared.finish() }
    }
    condition.unlock()
    if let surplus { closeLater(surplus) }
  }

  /// Closes a store for all its users.
  ///
  /// - Throws: An error when buffered commits could not be made durable.
  func close(_ shared: SharedStore) throws {
    condition.lock()
    while case .closing(let other) = slots[shared.key], other === shared { condition.wait() }
    let isMine = isOpen(shared)
    if isMine { beginClosing(shared) }
    condition.unlock()
    defer { if isMine { set(nil, at: shared.key) } }
    try shared.database.close()
  }

  /// Closes what nobody uses of a directory's stores, and waits for those that are being closed.
  func closeIdle(_ path: String) {
    condition.lock()
    let isIdle = !idle.isEmpty || slots.values.contains { $0.isClosing }
    condition.unlock()
    // Nearly always there is nothing to ask the file system for.
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

  /// Closes all stores when the process exits, those in use as well.
  ///
  /// What was saved without waiting for the disk becomes durable, and the next process has no log
  /// to replay.
  static func closeAtExit() {
    atexit {
      let registry = StoreRegistry.shared
      // A process that was forked has the handler too, but neither the threads nor the locks.
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

  /// Closes the stores whose time has come.
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

  /// Asks the clock to call when the next idle store is to close.
  private func scheduleWakeUp() {
    guard let next = idle.map(\.idleUntil).min(), next < wakeUp else { return }
    wakeUp = next
    clock.schedule(next - clock.now()) { [weak self] in self?.closeExpired() }
  }
}
