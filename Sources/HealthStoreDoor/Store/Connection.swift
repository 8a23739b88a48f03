import CDoor
import Foundation
import SampleLog

/// What the tables of one SQLite connection share.
///
/// SQLite serialises the calls.
final class Connection {
  /// The environment variable that names the directory of the store.
  static let variable = "HEALTHSTORE_PATH"

  private var store: Store?
  private var isClosed = false
  private var held: Snapshot?
  /// Stores that were replaced: SQLite may still hold texts of theirs.
  private var retired: [Store] = []

  /// Creates a connection to a store, or to the one that the environment names.
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

  /// Drops the snapshot, because no cursor is open.
  func idle() { held = nil }

  /// Returns the store, which is opened first if the environment names it.
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

  /// Returns the snapshot that all open cursors read, or a new one if no cursor is open.
  func snapshot() throws -> Snapshot {
    if let held { return held }
    let snapshot = try opened().snapshot()
    held = snapshot
    return snapshot
  }
}
