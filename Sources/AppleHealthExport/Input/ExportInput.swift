/// Where the bytes of an export come from.
///
/// Conform a type of your own to read from a network stream or a decompressor.
public protocol ExportInput: AnyObject {
  /// How many bytes there will be in all, when that is known; for a progress bar.
  var byteCount: Int64? { get }

  /// Reads at least one byte into `buffer`, which is never empty.
  ///
  /// - Parameter buffer: Where the bytes go.
  /// - Returns: How many bytes were read; 0 at the end, and again on every later call.
  /// - Throws: ``ExportError/cannotRead(reason:)`` or a more precise case.
  func read(into buffer: inout MutableRawSpan) throws(ExportError) -> Int
}

extension ExportInput {
  /// The same for memory that the caller keeps.
  package func read(into buffer: UnsafeMutableRawBufferPointer) throws(ExportError) -> Int {
    var bytes = buffer.mutableBytes
    return try read(into: &bytes)
  }
}
