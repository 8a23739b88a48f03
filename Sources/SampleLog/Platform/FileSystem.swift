/// The engine's only door to a disk, so that a test can put another disk behind it.
///
/// Paths are absolute or relative to the process's working directory. Every failure is a
/// ``StoreError/inputOutput(operation:path:code:message:)``.
public protocol FileSystem: Sendable {
  /// Returns a path that means the same after the process has changed its working directory; by
  /// default the path itself.
  func absolute(_ path: String) throws -> String

  /// Makes a directory and those above it, readable by its owner only; succeeds when it exists.
  func createDirectory(_ path: String) throws

  /// Returns the names in a directory, in no particular order.
  ///
  /// - Returns: nil when there is no such directory.
  func list(_ path: String) throws -> [String]?

  /// Opens an existing file, or creates one that must not exist yet.
  func open(_ path: String, _ access: FileAccess) throws -> any File

  /// Renames a file, replacing any file of the new name in one step.
  func rename(_ path: String, to newPath: String) throws

  /// Gives a file a second name, which must be free.
  ///
  /// Only files that are never written again are linked. Where that is impossible an error makes
  /// the caller copy instead, which is what the default implementation leads to.
  func link(_ path: String, to newPath: String) throws

  /// Removes a file's name; files that are open stay readable.
  func remove(_ path: String) throws

  /// Makes creations, renames and removals in a directory durable.
  func syncDirectory(_ path: String) throws

  /// Takes the one writer lock of a directory's lock file.
  ///
  /// - Returns: The lock.
  /// - Throws: ``StoreError/locked(path:holder:)`` when another handle holds it.
  func lock(_ path: String) throws -> any FileLock

  /// Watches a directory for changes; by default with a watch that knows nothing and asks often.
  func watch(_ path: String) -> any DirectoryWatch

  /// How many bytes this process may still write to the disk of a directory; nil where that is not
  /// known, which is the default.
  func availableByteCount(_ path: String) -> Int?
}

extension FileSystem {
  /// Returns the path itself.
  public func absolute(_ path: String) throws -> String { path }

  /// Returns a watch that comes back after a twentieth of a second.
  public func watch(_ path: String) -> any DirectoryWatch { PollingWatch() }

  /// Returns nil.
  public func availableByteCount(_ path: String) -> Int? { nil }
}

extension FileSystem {
  /// Refuses, so that callers copy.
  public func link(_ path: String, to newPath: String) throws {
    throw StoreError.inputOutput(
      operation: "link", path: path, code: 95, message: "Operation not supported")
  }
}

/// The one writer lock of a directory, held until it is released or its process dies.
public protocol FileLock: AnyObject, Sendable {
  /// Whether this process took it, and not one that this process was forked from; by default true.
  var isOwn: Bool { get }

  /// Whether the lock file still has its name, which is by default always the case.
  func isInPlace() throws -> Bool

  /// Gives the lock up; a second call does nothing.
  func release()
}

extension FileLock {
  /// True.
  public var isOwn: Bool { true }

  /// Returns true.
  public func isInPlace() throws -> Bool { true }
}

/// How ``FileSystem/open(_:_:)`` opens a file.
public enum FileAccess: Sendable {
  /// Reads an existing file.
  case read
  /// Reads and writes an existing file.
  case update
  /// Creates a file that must not exist, readable and writable by its owner only.
  case create
}

/// An open file: positioned reads and writes, no cursor.
public protocol File: AnyObject, Sendable {
  /// Returns the length in bytes.
  func size() throws -> Int

  /// Fills a buffer with the bytes at an offset; with fewer only at the end of the file.
  ///
  /// - Returns: The number of bytes read.
  func read(into buffer: inout MutableRawSpan, at offset: Int) throws -> Int

  /// Writes all bytes at an offset.
  func write(_ bytes: RawSpan, at offset: Int) throws

  /// Makes everything written durable.
  func sync() throws

  /// Reserves space for the first `length` bytes; does nothing where that is impossible.
  ///
  /// - Throws: an error when the disk is full.
  func preallocate(_ length: Int) throws

  /// Cuts or extends the file.
  func truncate(to length: Int) throws

  /// Whether the file is the one of a name; by default it always is.
  func isNamed(_ path: String) throws -> Bool

  /// Takes note that the file got another name, which errors then say; by default does nothing.
  func wasRenamed(to path: String)

  /// Returns the first offset at or behind an offset that may hold anything but zeros, where that
  /// is known without reading: holes are not searched. By default the offset itself.
  func nextData(from offset: Int) throws -> Int
}

extension File {
  /// Returns true.
  public func isNamed(_ path: String) throws -> Bool { true }

  /// Does nothing.
  public func wasRenamed(to path: String) {}

  /// Returns the offset.
  public func nextData(from offset: Int) throws -> Int { offset }
}

extension File {
  /// The same for memory that the caller keeps.
  package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws -> Int {
    var bytes = buffer.mutableBytes
    return try read(into: &bytes, at: offset)
  }

  /// The same for memory that the caller keeps.
  package func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws {
    try write(bytes.bytes, at: offset)
  }

  /// Reads exactly `count` bytes at an offset.
  ///
  /// - Returns: nil when the file ends before.
  package func bytes(_ count: Int, at offset: Int) throws -> [UInt8]? {
    guard offset >= 0, count >= 0 else { return nil }
    var missing = 0
    let result = try [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      let raw = UnsafeMutableRawBufferPointer(start: buffer.baseAddress, count: count)
      let got = count == 0 ? 0 : try read(into: raw, at: offset)
      missing = count - got
      initialized = got
    }
    return missing == 0 ? result : nil
  }
}
