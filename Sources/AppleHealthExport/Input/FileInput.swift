public import Foundation

/// An export in a file, a pipe or standard input, read in order.
public final class FileInput: ExportInput {
  /// The size of a file; nil for a handle, whose length nobody knows.
  public let byteCount: Int64?
  private let handle: FileHandle

  /// Opens a file for reading.
  ///
  /// - Parameter path: Where it is.
  /// - Throws: ``ExportError/cannotOpen(path:reason:)``, also for a folder.
  public init(path: String) throws(ExportError) {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      throw .cannotOpen(path: path, reason: "there is no such file")
    }
    if isFolder.boolValue { throw .cannotOpen(path: path, reason: "it is a folder") }
    guard let handle = FileHandle(forReadingAtPath: path) else {
      throw .cannotOpen(path: path, reason: "reading it is not allowed")
    }
    self.handle = handle
    byteCount = Self.size(path)
  }

  /// Reads from a handle that is already open, from its current position on.
  ///
  /// - Parameter handle: An open handle, such as `FileHandle.standardInput`.
  public convenience init(_ handle: FileHandle) { self.init(handle, byteCount: nil) }

  /// Reads from a handle that is already open, with so many bytes.
  init(_ handle: FileHandle, byteCount: Int64?) {
    self.handle = handle
    self.byteCount = byteCount
  }

  /// Reads until `buffer` is full or the input ends, waiting for a pipe.
  ///
  /// - Parameter buffer: Where the bytes go.
  /// - Returns: How many bytes were read; 0 at the end.
  /// - Throws: ``ExportError/cannotRead(reason:)`` with the system's reason.
  public func read(into buffer: UnsafeMutableRawBufferPointer) throws(ExportError) -> Int {
    do {
      guard let data = try handle.read(upToCount: buffer.count) else { return 0 }
      return data.copyBytes(to: buffer)
    } catch {
      throw .cannotRead(reason: Self.reason(error))
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
