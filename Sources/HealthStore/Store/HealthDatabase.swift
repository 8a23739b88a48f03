public import Foundation
public import SampleLog

/// A store of many people's data that a program opens once and closes itself.
///
/// Our addition, for servers: HealthKit has no such class, because a phone has one store and one
/// person. Objects that ``store(subject:)`` returns are cheap, so each request may have its own;
/// none of them opens or closes anything.
///
/// ```swift
/// let database = try HealthDatabase(directory: directory)
/// try await database.store(subject: "ada").save(samples)
/// try database.close()
/// ```
///
/// Methods may be called from any thread.
public final class HealthDatabase: Sendable {
  private let open: OpenStore

  /// Opens the store in a directory, which is made when it does not exist and is to be written to.
  ///
  /// Blocks the calling thread. If objects of this process have the directory open in the same mode
  /// already, it is shared, with their options.
  ///
  /// - Parameters:
  ///   - directory: The store's directory.
  ///   - mode: What the store is opened for, as for an ``HKHealthStore``.
  ///   - options: How the store is opened. `idleTimeout` counts when the last object goes before
  ///     ``close()`` was called.
  /// - Throws: ``HKError`` with `errorDatabaseInaccessible` when it cannot be opened; the error
  ///   below it is the engine's `StoreError`, such as `locked` when another process writes to it.
  public init(
    directory: URL, mode: OpenMode = .readWrite,
    options: HKHealthStore.Options = HKHealthStore.Options()
  ) throws {
    do {
      open = try StoreRegistry.shared.open(directory, mode: mode, options: options)
    } catch {
      throw HKError.from(error)
    }
  }

  init(_ open: OpenStore) { self.open = open }

  /// Opens a new, empty store in memory, gone when it and its last object are.
  ///
  /// For tests that need several objects for one store.
  ///
  /// - Parameter options: How the store is opened.
  /// - Returns: The store.
  /// - Throws: ``HKError`` when it cannot be opened, which takes a shortage of memory.
  public static func inMemory(
    options: HKHealthStore.Options = HKHealthStore.Options()
  ) throws -> HealthDatabase {
    do {
      return HealthDatabase(try MemoryStore(options: options).open())
    } catch {
      throw HKError.from(error)
    }
  }

  /// Returns an object that sees one person's data.
  ///
  /// - Parameter subject: Whose data it is.
  /// - Returns: The object, which may be kept or made again for each request.
  /// - Complexity: O(1), without a system call.
  public func store(subject: String = "") -> HKHealthStore {
    HKHealthStore(location: .open(open), subject: subject)
  }

  /// Closes the store for all objects of this process, ends their queries with an error, and lets
  /// other processes write to it.
  ///
  /// Blocks the calling thread until saves that are under way have ended. Later calls of the
  /// objects report `errorDatabaseInaccessible`, with the engine's `StoreError.closed` below it.
  /// Closing twice does nothing.
  ///
  /// - Throws: ``HKError`` when buffered data could not be made durable; the store is closed then,
  ///   too.
  public func close() throws {
    do {
      try open.close()
    } catch {
      throw HKError.from(error)
    }
  }
}
