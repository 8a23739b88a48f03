internal import CLZ4

/// LZ4 blocks without a frame: the lengths are kept by whoever stores them.
package enum Compression {
  /// LZ4 cannot make more than this out of one byte, so a larger claim is damage.
  package static let maximumRatio = 255

  /// Returns the compressed bytes, or nil when they would not be shorter than `limit`.
  ///
  /// Where much is soon rewritten, as a log is, it is done in half the time for an eighth more
  /// bytes: `isKept` is false.
  package static func compress(
    _ bytes: UnsafeRawBufferPointer, limit: Int, isKept: Bool = true
  ) -> [UInt8]? {
    guard limit > 0, bytes.count <= 1 << 30, let source = bytes.baseAddress else { return nil }
    let result = [UInt8](unsafeUninitializedCapacity: limit) { buffer, initialized in
      // Fails with 0 when the room does not suffice, which is the answer then.
      let written = LZ4_compress_fast(
        source.assumingMemoryBound(to: CChar.self),
        UnsafeMutableRawPointer(mutating: UnsafeRawPointer(buffer.baseAddress))?
          .assumingMemoryBound(to: CChar.self),
        CInt(bytes.count), CInt(limit), isKept || bytes.count < 16 << 10 ? 1 : 16)
      initialized = max(0, Int(written))
    }
    return result.isEmpty ? nil : result
  }

  /// Returns memory with exactly `count` decompressed bytes.
  package static func decompress(
    _ bytes: UnsafeRawBufferPointer, count: Int
  ) throws(CodecError) -> RawMemory {
    guard count > 0, count <= 1 << 30, bytes.count <= 1 << 30,
      count <= bytes.count * maximumRatio, let source = bytes.baseAddress
    else { throw CodecError("impossible compressed length") }
    let memory = RawMemory(count)
    let got = LZ4_decompress_safe(
      source.assumingMemoryBound(to: CChar.self),
      memory.base.assumingMemoryBound(to: CChar.self), CInt(bytes.count), CInt(count))
    guard Int(got) == count else { throw CodecError("compressed bytes do not decompress") }
    return memory
  }
}
