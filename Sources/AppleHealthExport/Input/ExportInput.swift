/// A source of the bytes of an export.
///
/// Conform your own type to this protocol to read from a network stream or a decompressor.
public protocol ExportInput: AnyObject {
  /// The total number of bytes, or nil if it is unknown; used to report progress.
  var byteCount: Int64? { get }

  /// Reads at least one byte into `buffer`, which is never empty.
  ///
  /// - Parameter buffer: The destination of the bytes.
  /// - Returns: The number of bytes read; 0 at the end, and again on every later call.
  /// - Throws: ``ExportError/cannotRead(reason:)`` or a more precise case.
  func read(into buffer: inout MutableRawSpan) throws(ExportError) -> Int
}

extension ExportInput {
  /// Reads at least one byte into memory that the caller owns.
  package func read(into buffer: UnsafeMutableRawBufferPointer) throws(ExportError) -> Int {
    var bytes = buffer.mutableBytes
    return try read(into: &bytes)
  }
}
