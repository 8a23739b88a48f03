internal import CPlatform

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// The operating system's file system.
///
/// Creates files with mode 0600 and directories with mode 0700, regardless of the umask. A
/// directory's path may contain symbolic links. Files must be regular: symbolic links and special
/// files are rejected. Interrupted and partial calls are continued.
public struct PosixFileSystem: FileSystem {
  /// Creates a file system, which has no state.
  public init() {}

  static func failure(_ operation: String, _ path: String, _ code: Int32 = errno) -> StoreError {
    .inputOutput(
      operation: operation, path: path, code: code, message: String(cString: strerror(code)))
  }

  /// Returns whether an error code means that a file does not exist.
  static func isMissing(_ code: Int32) -> Bool { code == ENOENT }

  /// Returns whether an error code means that the disk or quota is full.
  package static func isFull(_ code: Int32) -> Bool { code == ENOSPC || code == EDQUOT }

  /// Returns whether an error code means that a file system is read-only, so no change can be lost.
  static func isOnlyForReading(_ code: Int32) -> Bool {
    code == EROFS || code == EINVAL || code == ENOTSUP
  }

  /// Prepends the working directory to a relative path.
  public func absolute(_ path: String) throws -> String {
    if path.utf8.first == UInt8(ascii: "/") { return path }
    guard let directory = getcwd(nil, 0) else {
      throw Self.failure("find the working directory for", path)
    }
    defer { free(directory) }
    return String(cString: directory) + "/" + path
  }

  /// Creates a directory and its ancestors.
  public func createDirectory(_ path: String) throws {
    if try make(path) { return try syncDirectory(Self.parent(of: path)) }
    switch errno {
    case EEXIST:
      return
    case ENOENT:
      let parent = Self.parent(of: path)
      guard parent != path, parent != "." else { break }
      try createDirectory(parent)
      if try make(path) { return try syncDirectory(parent) }
      if errno == EEXIST { return }
    default:
      break
    }
    throw Self.failure("create the directory", path)
  }

  /// Creates one directory; returns false and sets `errno` on failure.
  private func make(_ path: String) throws -> Bool {
    guard mkdir(path, 0o700) == 0 else { return false }
    // The umask may have removed permissions that the owner needs.
    if chmod(path, 0o700) != 0 { throw Self.failure("set the mode of", path) }
    return true
  }

  private static func parent(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// Returns the number of bytes that this process can still write to a directory's disk.
  public func availableByteCount(_ path: String) -> Int? {
    var found = statvfs()
    guard statvfs(path, &found) == 0 else { return nil }
    return Int(clamping: UInt64(found.f_bavail) &* UInt64(found.f_frsize))
  }

  /// Returns the names of the entries of a directory.
  public func list(_ path: String) throws -> [String]? {
    guard let directory = opendir(path) else {
      if errno == ENOENT { return nil }
      throw Self.failure("list", path)
    }
    defer { closedir(directory) }
    var names: [String] = []
    while true {
      errno = 0
      guard let entry = readdir(directory) else { break }
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { names.append(name) }
    }
    if errno != 0 { throw Self.failure("list", path) }
    return names
  }

  /// Opens or creates a file; never follows a symbolic link in the last path component.
  public func open(_ path: String, _ access: FileAccess) throws -> any File {
    let flags: Int32 =
      switch access {
      case .read: O_RDONLY
      case .update: O_RDWR
      case .create: O_RDWR | O_CREAT | O_EXCL
      }
    let isNew = flags & O_CREAT != 0
    return PosixFile(descriptor: try Self.open(path, flags, isNew: isNew, "open"), path: path)
  }

  /// Opens a regular file and sets the mode of a new one to 0600.
  private static func open(
    _ path: String, _ flags: Int32, isNew: Bool, _ operation: String
  ) throws -> Int32 {
    // Without O_NONBLOCK, opening a named pipe would block until its other end is opened.
    let flags = flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
    while true {
      #if canImport(Darwin)
        let descriptor = Darwin.open(path, flags, 0o600)
      #elseif canImport(Musl)
        let descriptor = Musl.open(path, flags, 0o600)
      #else
        let descriptor = Glibc.open(path, flags, 0o600)
      #endif
      if descriptor >= 0 {
        var status = stat()
        let code = fstat(descriptor, &status)
        if code == 0, status.st_mode & S_IFMT == S_IFREG {
          // The umask may have removed permissions that the owner needs.
          if !isNew || fchmod(descriptor, 0o600) == 0 { return descriptor }
        } else if code == 0 {
          close(descriptor)
          throw StoreError.notAFile(path: path)
        }
        let reason = errno
        close(descriptor)
        throw failure(operation, path, reason)
      }
      switch errno {
      case EINTR: continue
      case EISDIR, ENXIO: throw StoreError.notAFile(path: path)
      case ELOOP:
        // ELOOP can also come from a symbolic link cycle in a parent component.
        var status = stat()
        if lstat(path, &status) == 0 { throw StoreError.notAFile(path: path) }
        throw failure(operation, path, ELOOP)
      default: throw failure(operation, path)
      }
    }
  }

  /// Renames a file, atomically replacing any file with the new name.
  public func rename(_ path: String, to newPath: String) throws {
    #if canImport(Darwin)
      let result = Darwin.rename(path, newPath)
    #elseif canImport(Musl)
      let result = Musl.rename(path, newPath)
    #else
      let result = Glibc.rename(path, newPath)
    #endif
    if result != 0 { throw Self.failure("rename", path) }
  }

  /// Creates a second name for a file; does not follow symbolic links.
  public func link(_ path: String, to newPath: String) throws {
    #if canImport(Darwin)
      let result = linkat(AT_FDCWD, path, AT_FDCWD, newPath, 0)
    #elseif canImport(Musl)
      let result = Musl.link(path, newPath)
    #else
      let result = Glibc.link(path, newPath)
    #endif
    if result != 0 { throw Self.failure("link", path) }
  }

  /// Removes a file's name.
  public func remove(_ path: String) throws {
    if unlink(path) != 0 { throw Self.failure("remove", path) }
  }

  /// Makes the entries of a directory durable.
  public func syncDirectory(_ path: String) throws {
    #if canImport(Darwin)
      let descriptor = Darwin.open(path, O_RDONLY | O_CLOEXEC)
    #elseif canImport(Musl)
      let descriptor = Musl.open(path, O_RDONLY | O_CLOEXEC | O_DIRECTORY)
    #else
      let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_DIRECTORY)
    #endif
    guard descriptor >= 0 else { throw Self.failure("open the directory", path) }
    defer { close(descriptor) }
    if fsync(descriptor) != 0 { throw Self.failure("synchronise the directory", path) }
  }

  /// Acquires a directory's writer lock and records this process in the lock file.
  public func lock(_ path: String) throws -> any FileLock {
    let descriptor = try Self.open(path, O_RDWR | O_CREAT, isNew: true, "open the lock file")
    let file = PosixFile(descriptor: descriptor, path: path)
    let code = cplatform_try_lock(descriptor)
    guard code == 0 else {
      guard code == EWOULDBLOCK else { throw Self.failure("lock", path, code) }
      let holder = (try? file.bytes(min(file.size(), 200), at: 0)).flatMap { $0 } ?? []
      let text = String(decoding: holder.prefix { $0 != 10 }, as: UTF8.self)
      throw StoreError.locked(path: path, holder: text.isEmpty ? "another process" : text)
    }
    let note = Array("process \(getpid()) (\(Self.processName))\n".utf8)
    // The contents of the lock file are informative only: a store on a full disk must still open.
    try? file.truncate(to: 0)
    try? note.withUnsafeBytes { try file.write($0, at: 0) }
    return PosixLock(file, path)
  }

  /// Watches a directory; on Linux with inotify.
  public func watch(_ path: String) -> any DirectoryWatch {
    #if os(Linux)
      if let watch = NoticeWatch(path) { return watch }
    #endif
    return PollingWatch()
  }

  private static var processName: String {
    CommandLine.arguments.first.flatMap { $0.split(separator: "/").last.map(String.init) }
      ?? "unnamed"
  }
}

/// Returns a 64-bit word from the operating system's secure random source.
func secureRandom() -> UInt64 {
  var word: UInt64 = 0
  let code = withUnsafeMutableBytes(of: &word) { cplatform_random($0.baseAddress, $0.count) }
  // Without randomness, identities could collide undetected.
  precondition(code == 0, "The operating system has no randomness to give (errno \(code)).")
  return word
}

/// Returns the current time, in seconds since 2001-01-01 00:00 UTC.
func systemClock() -> Double {
  var now = timespec()
  clock_gettime(CLOCK_REALTIME, &now)
  return Double(now.tv_sec) - 978_307_200 + Double(now.tv_nsec) / 1e9
}
