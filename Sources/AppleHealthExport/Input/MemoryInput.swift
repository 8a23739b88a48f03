/// An export in memory, delivered in chunks of any size.
public final class MemoryInput: ExportInput {
  /// The total size of all chunks, in bytes.
  public let byteCount: Int64?
  private let chunks: [[UInt8]]
  private var chunk = 0
  private var position = 0

  /// Creates an input that delivers `chunks` in order; no read crosses the end of a chunk.
  ///
  /// - Parameter chunks: The parts of the document. Empty chunks are skipped.
  public init(chunks: [[UInt8]]) {
    self.chunks = chunks.filter { !$0.isEmpty }
    byteCount = chunks.reduce(0) { $0 + Int64($1.count) }
  }

  /// Creates an input that delivers a string.
  ///
  /// - Parameter text: The document.
  public convenience init(_ text: String) {
    self.init(chunks: [Array(text.utf8)])
  }

  /// Copies from the current chunk; never fails.
  ///
  /// - Parameter buffer: The destination of the bytes.
  /// - Returns: The number of bytes copied; 0 after the last chunk.
  /// - Throws: Never; the protocol allows it.
  public func read(into buffer: inout MutableRawSpan) throws(ExportError) -> Int {
    guard chunk < chunks.count else { return 0 }
    let count = min(buffer.byteCount, chunks[chunk].count - position)
    let bytes = chunks[chunk][position..<(position + count)]
    buffer.withUnsafeMutableBytes { $0.copyBytes(from: bytes) }
    position += count
    if position == chunks[chunk].count {
      chunk += 1
      position = 0
    }
    return count
  }
}
