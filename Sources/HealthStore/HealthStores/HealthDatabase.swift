public import Foundation
public import SampleLog

/// A store of many subjects' data that a program opens once and closes explicitly.
///
/// This is an addition for servers: HealthKit has no such class, because a phone has one store and
/// one user. Objects that ``store(subject:)`` returns are cheap, so each request can have its own.
/// They cannot affect each other or the store: closing one releases that object only, and flushing,
/// compacting, backing up and measuring are methods of this class.
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

  /// Opens the store in a directory, which is created if it does not exist and the mode allows
  /// writing.
  ///
  /// Blocks the calling thread. If this process already uses the directory in the same mode, the
  /// open store is shared, and the options must be equal to those with which it was opened.
  ///
  /// - Parameters:
  ///   - directory: The store's directory.
  ///   - mode: The access mode, as for an ``HKHealthStore``.
  ///   - options: Options for opening the store. `idleTimeout` applies if the last object is
  ///     released without a call of ``close()``. Options with a handler or another function that
  ///     was set are equal to their copies only.
  /// - Throws: ``HKError`` with `errorDatabaseInaccessible` if the store cannot be opened. The
  ///   underlying error is the engine's `StoreError`, such as `locked` if another process has it
  ///   open for writing. ``HKError`` with `errorInvalidArgument` and an ``HKStoreOptionsError`` as
  ///   the underlying error if the store is in use in this process with other options.
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

  /// Opens a new, empty store in memory, which is freed with this object and its last
  /// `HKHealthStore`.
  ///
  /// For tests that need several objects for one store.
  ///
  /// - Parameter options: Options for opening the store.
  /// - Returns: The store.
  /// - Throws: ``HKError`` if the store cannot be opened, for example for lack of memory.
  public static func inMemory(
    options: HKHealthStore.Options = HKHealthStore.Options()
  ) throws -> HealthDatabase {
    do {
      return HealthDatabase(try MemoryStore(options: options).open())
    } catch {
      throw HKError.from(error)
    }
  }

  /// Returns an object that reads and writes one subject's data.
  ///
  /// - Parameter subject: The subject.
  /// - Returns: The object. It can be kept, or created for each request. Its methods for the whole
  ///   store throw ``HKError`` with `errorInvalidArgument`, regardless of the subject, and
  ///   ``HKHealthStore/close()`` releases this object only.
  /// - Complexity: O(1), without a system call.
  public func store(subject: String = "") -> HKHealthStore {
    HKHealthStore(location: .open(open), subject: subject, coversStore: false)
  }

  /// Returns an object without a subject that may operate on the whole store, as if it had opened
  /// the store itself.
  package func wholeStore() -> HKHealthStore {
    HKHealthStore(location: .open(open), subject: "", coversStore: true)
  }

  /// Closes the store for all objects of this process, ends their queries with an error, and
  /// releases the write lock.
  ///
  /// Blocks the calling thread until saves in progress have ended. Later calls of the objects
  /// report `errorDatabaseInaccessible`, with the engine's `StoreError.closed` as the underlying
  /// error. Closing twice has no effect.
  ///
  /// - Throws: ``HKError`` if buffered data cannot be made durable. The store is closed in this
  ///   case, too.
  public func close() throws {
    do {
      try open.close()
    } catch {
      throw HKError.from(error)
    }
  }
}
