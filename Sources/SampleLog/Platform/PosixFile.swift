internal import CPlatform

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// An advisory lock on an open file, held until it is released or deallocated.
///
/// Releasing unlocks explicitly, because closing the file is not sufficient: a child process has
/// the file open between fork and exec. A forked process never unlocks, because the lock belongs to
/// the process that acquired it.
final class PosixLock: FileLock {
  private let file: Locked<PosixFile?>
  private let path: String
  private let owner = getpid()

  init(_ file: PosixFile, _ path: String) {
    self.file = Locked(file)
    self.path = path
  }

  deinit { release() }

  var isOwn: Bool { getpid() == owner }

  func isInPlace() throws -> Bool { try file.withLock { try $0?.isNamed(path) ?? true } }

  func release() {
    file.withLock { file in
      if isOwn { file?.unlock() }
      file = nil
    }
  }
}

/// An open file of the operating system, closed on deallocation.
final class PosixFile: File {
  private let descriptor: Int32
  private let name: Locked<String>
  private var path: String { name.withLock { $0 } }

  init(descriptor: Int32, path: String) {
    self.descriptor = descriptor
    name = Locked(path)
  }

  deinit { close(descriptor) }

  /// Releases the lock on the file.
  func unlock() { cplatform_unlock(descriptor) }

  func wasRenamed(to path: String) { name.withLock { $0 = path } }

  func isNamed(_ path: String) throws -> Bool {
    var own = stat()
    guard fstat(descriptor, &own) == 0 else { throw PosixFileSystem.failure("examine", path) }
    var named = stat()
    guard lstat(path, &named) == 0 else {
      if errno == ENOENT || errno == ENOTDIR { return false }
      throw PosixFileSystem.failure("examine", path)
    }
    return own.st_dev == named.st_dev && own.st_ino == named.st_ino
  }

  func nextData(from offset: Int) throws -> Int {
    let next = cplatform_next_data(descriptor, Int64(offset))
    return next < 0 ? offset : max(Int(next), offset)
  }

  func size() throws -> Int {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw PosixFileSystem.failure("examine", path) }
    return Int(status.st_size)
  }

  func read(into buffer: inout MutableRawSpan, at offset: Int) throws -> Int {
    try buffer.withUnsafeMutableBytes { try fill($0, at: offset) }
  }

  private func fill(_ buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws -> Int {
    var done = 0
    while done < buffer.count {
      let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
      let got = pread(descriptor, rest.baseAddress, rest.count, off_t(offset + done))
      if got > 0 {
        done += got
      } else if got == 0 {
        break
      } else if errno != EINTR {
        throw PosixFileSystem.failure("read", path)
      }
    }
    return done
  }

  func readCached(into buffer: inout MutableRawSpan, at offset: Int) -> Bool {
    buffer.withUnsafeMutableBytes {
      cplatform_read_cached(descriptor, $0.baseAddress, $0.count, Int64(offset)) == $0.count
    }
  }

  func write(_ bytes: RawSpan, at offset: Int) throws {
    try checkLimit(offset + bytes.byteCount)
    try bytes.withUnsafeBytes { try put($0, at: offset) }
  }

  private func put(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws {
    var done = 0
    while done < bytes.count {
      let rest = UnsafeRawBufferPointer(rebasing: bytes[done...])
      let put = pwrite(descriptor, rest.baseAddress, rest.count, off_t(offset + done))
      if put > 0 {
        done += put
      } else if put < 0, errno == EINTR {
        continue
      } else {
        throw PosixFileSystem.failure("write", path, put == 0 ? EIO : errno)
      }
    }
  }

  /// Throws if a write would exceed the process's file size limit.
  ///
  /// The kernel would otherwise send SIGXFSZ, which by default terminates the process.
  private func checkLimit(_ length: Int) throws {
    var limit = rlimit()
    #if os(Linux) && canImport(Glibc)
      let isKnown = getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0
    #else
      let isKnown = getrlimit(RLIMIT_FSIZE, &limit) == 0
    #endif
    if isKnown, rlim_t(length) > limit.rlim_cur {
      throw PosixFileSystem.failure("write", path, EFBIG)
    }
  }

  func sync() throws {
    let code = cplatform_sync_data(descriptor)
    if code != 0 { throw PosixFileSystem.failure("synchronise", path, code) }
  }

  func preallocate(_ length: Int) throws {
    let code = cplatform_preallocate(descriptor, Int64(length))
    // If space cannot be reserved, writes extend the file.
    if code != 0, code != EOPNOTSUPP, code != ENOSYS {
      throw PosixFileSystem.failure("reserve space for", path, code)
    }
  }

  func truncate(to length: Int) throws {
    while ftruncate(descriptor, off_t(length)) != 0 {
      if errno != EINTR { throw PosixFileSystem.failure("truncate", path) }
    }
  }
}
