import CDoor
import Foundation
import SampleLog

/// The state shared by the tables of one SQLite connection.
///
/// Not thread-safe; SQLite serialises calls on a connection.
final class Connection {
  /// The environment variable that names the directory of the store.
  static let variable = "HEALTHSTORE_PATH"

  private var store: Store?
  private var isClosed = false
  private var held: Snapshot?
  /// Stores that were closed or replaced, retained because SQLite may still hold their texts.
  private var retired: [Store] = []

  /// Creates a connection to a store, or by default to the store that the environment names.
  init(_ store: Store? = nil) { self.store = store }

  func open(_ path: String) throws {
    let opened = try Stores.open(path)
    retire()
    store = opened
    isClosed = false
  }

  func close() {
    retire()
    isClosed = true
  }

  private func retire() {
    if let store { retired.append(store) }
    store = nil
    held = nil
  }

  /// Releases the snapshot when the last cursor closes.
  func idle() { held = nil }

  /// Returns the open store, or opens the store that the environment names.
  func opened() throws -> Store {
    if let store { return store }
    if isClosed { throw DoorError("The store was closed; healthstore_open('DIR') opens one.") }
    guard let path = ProcessInfo.processInfo.environment[Self.variable], !path.isEmpty else {
      throw DoorError(
        "No store is open: set \(Self.variable), or run SELECT healthstore_open('DIR') first.")
    }
    let opened = try Stores.open(path)
    store = opened
    return opened
  }

  /// Returns the snapshot that the open cursors share, or a new one if no cursor is open.
  func snapshot() throws -> Snapshot {
    if let held { return held }
    let snapshot = try opened().snapshot()
    held = snapshot
    return snapshot
  }
}
