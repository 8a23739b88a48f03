/// The interface through which the engine accesses storage, replaceable in tests.
///
/// Paths are absolute or relative to the process's working directory. Every failure is a
/// ``StoreError/inputOutput(operation:path:code:message:)``.
public protocol FileSystem: Sendable {
  /// Returns a path that remains valid after the process changes its working directory.
  ///
  /// The default implementation returns `path`.
  func absolute(_ path: String) throws -> String

  /// Creates a directory and its ancestors, accessible by the owner only.
  ///
  /// Succeeds if the directory exists.
  func createDirectory(_ path: String) throws

  /// Returns the names of the entries of a directory, in no particular order.
  ///
  /// - Returns: nil if the directory does not exist.
  func list(_ path: String) throws -> [String]?

  /// Opens an existing file or creates a new one.
  func open(_ path: String, _ access: FileAccess) throws -> any File

  /// Renames a file, atomically replacing any file with the new name.
  func rename(_ path: String, to newPath: String) throws

  /// Creates a hard link to a file under a new name, which must not exist.
  ///
  /// The engine links only files that are never written again. If this method throws, the caller
  /// copies the file instead. The default implementation always throws.
  func link(_ path: String, to newPath: String) throws

  /// Removes a file's name; open files remain readable.
  func remove(_ path: String) throws

  /// Makes creations, renames and removals in a directory durable.
  func syncDirectory(_ path: String) throws

  /// Acquires the exclusive writer lock of a lock file.
  ///
  /// - Returns: The lock.
  /// - Throws: ``StoreError/locked(path:holder:)`` if another handle holds the lock.
  func lock(_ path: String) throws -> any FileLock

  /// Watches a directory for changes.
  ///
  /// The default implementation returns a watch that polls.
  func watch(_ path: String) -> any DirectoryWatch

  /// Returns the number of bytes that this process can still write to a directory's disk.
  ///
  /// Returns nil if that is unknown, which is the default.
  func availableByteCount(_ path: String) -> Int?
}

extension FileSystem {
  /// Returns the path itself.
  public func absolute(_ path: String) throws -> String { path }

  /// Returns a watch that polls every 50 milliseconds.
  public func watch(_ path: String) -> any DirectoryWatch { PollingWatch() }

  /// Returns nil.
  public func availableByteCount(_ path: String) -> Int? { nil }
}

extension FileSystem {
  /// Always throws, so that callers copy the file.
  public func link(_ path: String, to newPath: String) throws {
    throw StoreError.inputOutput(
      operation: "link", path: path, code: 95, message: "Operation not supported")
  }
}

/// The exclusive writer lock of a directory, held until it is released or its process exits.
public protocol FileLock: AnyObject, Sendable {
  /// Whether this process acquired the lock, rather than inheriting it through fork.
  ///
  /// Default: true.
  var isOwn: Bool { get }

  /// Returns whether the lock file still has its name.
  ///
  /// The default implementation returns true.
  func isInPlace() throws -> Bool

  /// Releases the lock; has no effect if it is already released.
  func release()
}

extension FileLock {
  /// True.
  public var isOwn: Bool { true }

  /// Returns true.
  public func isInPlace() throws -> Bool { true }
}

/// The access mode of ``FileSystem/open(_:_:)``.
public enum FileAccess: Sendable {
  /// Read access to an existing file.
  case read
  /// Read and write access to an existing file.
  case update
  /// Read and write access to a new file, which must not exist; only its owner can access it.
  case create
}

/// An open file with positioned reads and writes.
public protocol File: AnyObject, Sendable {
  /// Returns the length of the file, in bytes.
  func size() throws -> Int

  /// Fills a buffer with the bytes at an offset; partially only at the end of the file.
  ///
  /// - Returns: The number of bytes read.
  func read(into buffer: inout MutableRawSpan, at offset: Int) throws -> Int

  /// Fills a buffer with the bytes at an offset, if this requires no disk access.
  ///
  /// Calls that are attempted on one of Swift's cooperative threads read with this function, and
  /// leave other reads to threads that may block. The default implementation returns false.
  ///
  /// - Returns: Whether the buffer is filled.
  func readCached(into buffer: inout MutableRawSpan, at offset: Int) throws -> Bool

  /// Writes all bytes at an offset.
  func write(_ bytes: RawSpan, at offset: Int) throws

  /// Makes all writes to the file durable.
  func sync() throws

  /// Reserves space for the first `length` bytes; has no effect if that is not supported.
  ///
  /// - Throws: An error if the disk is full.
  func preallocate(_ length: Int) throws

  /// Truncates or extends the file.
  func truncate(to length: Int) throws

  /// Returns whether `path` refers to this file.
  ///
  /// The default implementation returns true.
  func isNamed(_ path: String) throws -> Bool

  /// Records the new path of a renamed file, for use in errors.
  ///
  /// The default implementation does nothing.
  func wasRenamed(to path: String)

  /// Returns the first offset, not before `offset`, that may hold nonzero bytes.
  ///
  /// File systems that report holes let recovery skip them. The default implementation returns
  /// `offset`.
  func nextData(from offset: Int) throws -> Int
}

extension File {
  /// Returns false.
  public func readCached(into buffer: inout MutableRawSpan, at offset: Int) throws -> Bool {
    false
  }

  /// Returns true.
  public func isNamed(_ path: String) throws -> Bool { true }

  /// Does nothing.
  public func wasRenamed(to path: String) {}

  /// Returns the offset.
  public func nextData(from offset: Int) throws -> Int { offset }
}

extension File {
  /// Reads into memory that the caller keeps alive.
  package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws -> Int {
    var bytes = buffer.mutableBytes
    return try read(into: &bytes, at: offset)
  }

  /// Writes from memory that the caller keeps alive.
  package func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws {
    try write(bytes.bytes, at: offset)
  }

  /// Reads exactly `count` bytes at an offset.
  ///
  /// - Returns: nil if the file is too short.
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
