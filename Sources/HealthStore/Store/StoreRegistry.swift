import Dispatch
import Foundation
import SampleLog

/// The stores that this process has open, by directory, so that each is opened once.
final class StoreRegistry: Sendable {
  static let shared = StoreRegistry()

  private struct Entry {
    weak var store: OpenStore?
    /// Left when the store's database has given its lock up.
    var released: DispatchGroup?

    /// The store, if it can be used: open, and still what is in the directory.
    var usable: OpenStore? {
      guard let store, !store.isClosed else { return nil }
      do { try store.database.checkInPlace() } catch { return nil }
      return store
    }
  }

  /// Where databases are closed that nobody uses any more.
  private static let closers = WorkerPool(maximum: 64)

  // An entry for each directory, so that a store that takes long to open holds up no other.
  private let entries = Locked<[String: Locked<Entry>]>([:])
  // The default store stays open until it is closed, however many objects come and go.
  private let standard = Locked<OpenStore?>(nil)

  /// The store in a directory, which is made when it does not exist.
  func open(_ directory: URL, options: Database.Options) throws -> OpenStore {
    try make(directory)
    let path = directory.resolvingSymlinksInPath().standardizedFileURL.path
    let entry = entries.withLock { entries in
      let entry = entries[path] ?? Locked(Entry())
      entries[path] = entry
      return entry
    }
    return try entry.withLock { entry in
      if let store = entry.usable { return store }
      // The last user is letting go at this moment, on another thread.
      if entry.store == nil { entry.released?.wait() }
      let database = try Database(path: path, options: options)
      let released = DispatchGroup()
      released.enter()
      let store = OpenStore(database) { database in
        // The last reference may go on one of Swift's threads, which must not wait for a disk.
        // And workers may be waiting to open the store again.
        Self.closers.async {
          defer { released.leave() }
          do {
            try database.close()
          } catch {
            // Nobody is left to be told that buffered commits could not be made durable.
          }
        }
      }
      entry = Entry(store: store, released: released)
      return store
    }
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
      let directory = Self.standardDirectory(ProcessInfo.processInfo.environment)
      let store = try open(directory, options: Database.Options())
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
