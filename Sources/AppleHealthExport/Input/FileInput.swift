#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// An export in a file, a pipe or standard input, read in order through a file descriptor.
public final class FileInput: ExportInput {
  /// The size of a regular file; nil for a pipe.
  public let byteCount: Int64?
  private let descriptor: Int32
  private let owned: Bool

  /// Opens a file for reading.
  ///
  /// - Parameter path: Where it is.
  /// - Throws: ``ExportError/cannotOpen(path:reason:)``, also for a folder.
  public convenience init(path: String) throws(ExportError) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    if descriptor < 0 { throw .cannotOpen(path: path, reason: Self.reason(errno)) }
    var status = stat()
    if fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
      close(descriptor)
      throw .cannotOpen(path: path, reason: "it is a folder")
    }
    self.init(descriptor: descriptor, closing: true)
  }

  /// Reads from a descriptor that is already open, from its current position on.
  ///
  /// - Parameters:
  ///   - descriptor: An open file descriptor.
  ///   - closing: Whether to close it in the end.
  public init(descriptor: Int32, closing: Bool = false) {
    self.descriptor = descriptor
    owned = closing
    var status = stat()
    let isFile = fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    byteCount = isFile ? Int64(status.st_size) : nil
    #if os(Linux)
      if isFile { _ = posix_fadvise(descriptor, 0, 0, POSIX_FADV_SEQUENTIAL) }
    #endif
  }

  deinit {
    if owned { close(descriptor) }
  }

  /// Reads what is there, waiting for a pipe.
  ///
  /// - Parameter buffer: Where the bytes go.
  /// - Returns: How many bytes were read; 0 at the end.
  /// - Throws: ``ExportError/cannotRead(reason:)`` with the system's reason.
  public func read(into buffer: UnsafeMutableRawBufferPointer) throws(ExportError) -> Int {
    while true {
      #if canImport(Darwin)
        let count = Darwin.read(descriptor, buffer.baseAddress, buffer.count)
      #elseif canImport(Musl)
        let count = Musl.read(descriptor, buffer.baseAddress, buffer.count)
      #else
        let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
      #endif
      if count >= 0 { return count }
      if errno != EINTR { throw .cannotRead(reason: Self.reason(errno)) }
    }
  }

  private static func reason(_ code: Int32) -> String {
    String(cString: strerror(code))
  }
}
