/// A copy of a row's metadata text, stored in the row, so that reading a row allocates nothing.
struct RowText {
  private typealias Words = (
    UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64,
    UInt64, UInt64, UInt64
  )

  private var words: Words = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
  /// The length of the text in bytes, at most ``StreamMetadata/capacity``.
  private(set) var count: UInt8 = 0

  /// Replaces the text.
  @inline(__always)
  mutating func assign(_ bytes: UnsafeRawBufferPointer) {
    precondition(bytes.count <= StreamMetadata.capacity, "A metadata text outgrew its row.")
    withUnsafeMutableBytes(of: &words) { $0.copyMemory(from: bytes) }
    count = UInt8(bytes.count)
  }

  /// Removes the text.
  @inline(__always)
  mutating func clear() {
    count = 0
  }
}
