public import Foundation

/// An export in a file, a pipe or standard input, read sequentially.
public final class FileInput: ExportInput {
  /// The size of a regular file in bytes, or nil if the length is unknown, as for a pipe.
  public let byteCount: Int64?
  private let handle: FileHandle
  private let isCancelled: (() -> Bool)?

  /// Opens a file for reading.
  ///
  /// A named pipe is opened without waiting for a writer; ``read(into:)`` waits for one.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - isCancelled: As for ``init(_:isCancelled:)``.
  /// - Throws: ``ExportError/cannotOpen(path:reason:)`` if the file cannot be opened or is a
  ///   folder.
  public convenience init(
    path: String, isCancelled: (() -> Bool)? = nil
  ) throws(ExportError) {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      throw .cannotOpen(path: path, reason: "there is no such file")
    }
    if isFolder.boolValue { throw .cannotOpen(path: path, reason: "it is a folder") }
    // Without O_NONBLOCK, the call would wait for a pipe's writer and ignore `isCancelled`.
    let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else {
      let isRefused = errno == EACCES || errno == EPERM
      throw .cannotOpen(
        path: path,
        reason: isRefused ? "reading it is not allowed" : String(cString: strerror(errno)))
    }
    self.init(
      FileHandle(fileDescriptor: descriptor, closeOnDealloc: true), byteCount: FileInput.size(path),
      isCancelled: isCancelled)
  }

  /// Creates an input that reads from an open handle, starting at its current position.
  ///
  /// - Parameters:
  ///   - handle: An open handle, such as `FileHandle.standardInput`.
  ///   - isCancelled: Called before each read, and five times a second while no data is available.
  ///     Returning true ends reading with ``ExportError/cancelled``.
  public convenience init(_ handle: FileHandle, isCancelled: (() -> Bool)? = nil) {
    self.init(handle, byteCount: nil, isCancelled: isCancelled)
  }

  /// Creates an input that reads from an open handle; `byteCount` is the size of its file, if
  /// known.
  init(_ handle: FileHandle, byteCount: Int64?, isCancelled: (() -> Bool)? = nil) {
    self.handle = handle
    self.byteCount = byteCount
    self.isCancelled = isCancelled
  }

  /// Reads the available bytes, up to the size of the buffer; blocks while a pipe has no data.
  ///
  /// - Parameter buffer: The destination of the bytes.
  /// - Returns: The number of bytes read; 0 at the end.
  /// - Throws: ``ExportError/cannotRead(reason:)`` with the system's reason, or
  ///   ``ExportError/cancelled``.
  public func read(into buffer: inout MutableRawSpan) throws(ExportError) -> Int {
    let descriptor = handle.fileDescriptor
    while true {
      if let isCancelled, isCancelled() { throw .cancelled }
      var state = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      let ready = poll(&state, 1, isCancelled == nil ? -1 : 200)
      if ready == 0 || (ready < 0 && errno == EINTR) { continue }
      let count = buffer.withUnsafeMutableBytes {
        Foundation.read(descriptor, $0.baseAddress, $0.count)
      }
      if count >= 0 { return count }
      // EAGAIN: another reader of the pipe consumed the bytes first.
      guard errno == EINTR || errno == EAGAIN else {
        throw .cannotRead(reason: String(cString: strerror(errno)))
      }
    }
  }

  /// Returns the reason of a failed system call, without a final period.
  ///
  /// Prefers the underlying POSIX error, because Foundation's description omits its reason.
  static func reason(_ error: any Error) -> String {
    let reason = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError
    guard let reason, reason.domain == NSPOSIXErrorDomain else {
      let sentence = error.localizedDescription
      return sentence.hasSuffix(".") ? String(sentence.dropLast()) : sentence
    }
    return String(cString: strerror(Int32(reason.code)))
  }

  /// Returns the size of a regular file in bytes, or nil for any other file, such as a named pipe.
  static func size(_ path: String) -> Int64? {
    let resolved = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    guard let attributes = try? FileManager.default.attributesOfItem(atPath: resolved),
      attributes[.type] as? FileAttributeType == .typeRegular
    else { return nil }
    return (attributes[.size] as? NSNumber)?.int64Value
  }
}
