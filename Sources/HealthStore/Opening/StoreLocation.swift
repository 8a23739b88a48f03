import Foundation
import SampleLog

/// The location of a health store's data.
enum StoreLocation: Sendable {
  /// In the default directory, opened on first use.
  case standard
  case open(OpenStore)
  case memory(MemoryStore)

  /// Returns the store, opened if necessary and refreshed with commits of other processes.
  func open() throws -> OpenStore {
    let store = try use()
    if store.isClosed { throw StoreError.closed }
    try store.refresh()
    return store
  }

  /// Closes the store for all its users.
  func close() throws { try use().close() }

  private func use() throws -> OpenStore {
    switch self {
    case .standard: try StoreRegistry.shared.openStandard()
    case .open(let store): store
    case .memory(let store): try store.open()
    }
  }
}

/// A store in memory, created on first use.
final class MemoryStore: Sendable {
  private let options: Database.Options
  private let store = Locked<OpenStore?>(nil)

  init(options: Database.Options) { self.options = options }

  func open() throws -> OpenStore {
    try store.withLock { store in
      if let store { return store }
      let database = try Database(
        path: "/memory", options: options, fileSystem: MemoryFileSystem())
      let made = OpenStore(database)
      store = made
      return made
    }
  }
}
