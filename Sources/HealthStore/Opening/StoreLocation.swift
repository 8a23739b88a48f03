import Foundation
import SampleLog

/// The location of a health store's data.
enum StoreLocation: Sendable {
  /// In the default directory, opened on first use.
  case standard
  case open(OpenStore)
  case memory(MemoryStore)
  /// The object that had the location was closed.
  case closed

  /// Returns the store, opened if necessary and refreshed with commits of other processes.
  func open() throws -> OpenStore {
    let store = try use()
    if store.isClosed { throw StoreError.closed }
    try store.refresh()
    return store
  }

  /// The store, which may have been closed since, or nil if it has not been opened.
  var opened: OpenStore? {
    switch self {
    case .open(let store): store
    case .memory(let store): store.opened
    case .standard, .closed: nil
    }
  }

  /// Closes the store for all its users.
  func close() throws { try use().close() }

  private func use() throws -> OpenStore {
    switch self {
    case .standard: try StoreRegistry.shared.openStandard()
    case .open(let store): store
    case .memory(let store): try store.open()
    case .closed:
      throw HKError.make(
        .errorDatabaseInaccessible, "This object has been closed; make another one.",
        underlying: StoreError.closed)
    }
  }
}

/// A store in memory, created on first use.
final class MemoryStore: Sendable {
  private let options: Database.Options
  private let store = Locked<OpenStore?>(nil)

  init(options: Database.Options) { self.options = options }

  /// The store, or nil before its first use.
  var opened: OpenStore? { store.withLock { $0 } }

  func open() throws -> OpenStore {
    try store.withLock { store in
      if let store { return store }
      let database = try Database(
        path: "/memory", options: options, fileSystem: MemoryFileSystem())
      let made = OpenStore(database, isInMemory: true)
      store = made
      return made
    }
  }
}
