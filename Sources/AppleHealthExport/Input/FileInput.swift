public import Foundation

/// An export in a file, a pipe or standard input, read in order.
public final class FileInput: ExportInput {
  /// The size of a file; nil for a handle, whose length nobody knows.
  public let byteCount: Int64?
  private let handle: FileHandle
  private let isCancelled: (() -> Bool)?

  /// Opens a file for reading.
  ///
  /// A named pipe is opened without waiting for its writer; reading waits.
  ///
  /// - Parameters:
  ///   - path: Where it is.
  ///   - isCancelled: As for ``init(_:isCancelled:)``.
  /// - Throws: ``ExportError/cannotOpen(path:reason:)``, also for a folder.
  public convenience init(
    path: String, isCancelled: (() -> Bool)? = nil
  ) throws(ExportError) {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      throw .cannotOpen(path: path, reason: "there is no such file")
    }
    if isFolder.boolValue { throw .cannotOpen(path: path, reason: "it is a folder") }
    // Without O_NONBLOCK the call would wait for a pipe's writer, deaf to `isCancelled`.
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

  /// Reads from a handle that is already open, from its current position on.
  ///
  /// - Parameters:
  ///   - handle: An open handle, such as `FileHandle.standardInput`.
  ///   - isCancelled: Asked before each read and five times a second while the input has no bytes;
  ///     true ends the reading with ``ExportError/cancelled``.
  public convenience init(_ handle: FileHandle, isCancelled: (() -> Bool)? = nil) {
    self.init(handle, byteCount: nil, isCancelled: isCancelled)
  }

  /// Reads from a handle that is already open, with so many bytes.
  init(_ handle: FileHandle, byteCount: Int64?, isCancelled: (() -> Bool)? = nil) {
    self.handle = handle
    self.byteCount = byteCount
    self.isCancelled = isCancelled
  }

  /// Reads what there is, at most as much as fits; waits while a pipe has nothing.
  ///
  /// - Parameter buffer: Where the bytes go.
  /// - Returns: How many bytes were read; 0 at the end.
  /// - Throws: ``ExportError/cannotRead(reason:)`` with the system's reason, and
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
      // EAGAIN: another reader of the pipe was faster.
      guard errno == EINTR || errno == EAGAIN else {
        throw .cannotRead(reason: String(cString: strerror(errno)))
      }
    }
  }

  /// Why the system refused something, without a final period.
  ///
  /// Foundation's own sentence says it only where the system's error is not underneath.
  static func reason(_ error: any Error) -> String {
    let reason = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError
    guard let reason, reason.domain == NSPOSIXErrorDomain else {
      let sentence = error.localizedDescription
      return sentence.hasSuffix(".") ? String(sentence.dropLast()) : sentence
    }
    return String(cString: strerror(Int32(reason.code)))
  }

  /// The size of a regular file; nil for a named pipe.
  static func size(_ path: String) -> Int64? {
    let resolved = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    guard let attributes = try? FileManager.default.attributesOfItem(atPath: resolved),
      attributes[.type] as? FileAttributeType == .typeRegular
    else { return nil }
    return (attributes[.size] as? NSNumber)?.int64Value
  }
}
