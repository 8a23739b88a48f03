internal import CLZ4

/// LZ4 blocks without frame headers; the caller stores the lengths.
package enum Compression {
  /// The maximum compression ratio of LZ4.
  ///
  /// A larger stated ratio indicates damage.
  package static let maximumRatio = 255

  /// Returns the compressed bytes, or nil if they would exceed `limit` bytes.
  ///
  /// Pass false for `isKept` if the data is soon rewritten, as in a log: compression then takes
  /// half the time and the output is an eighth larger.
  package static func compress(
    _ bytes: UnsafeRawBufferPointer, limit: Int, isKept: Bool = true
  ) -> [UInt8]? {
    guard limit > 0, bytes.count <= 1 << 30, let source = bytes.baseAddress else { return nil }
    let result = [UInt8](unsafeUninitializedCapacity: limit) { buffer, initialized in
      // Returns 0 if the output does not fit.
      let written = LZ4_compress_fast(
        source.assumingMemoryBound(to: CChar.self),
        UnsafeMutableRawPointer(mutating: UnsafeRawPointer(buffer.baseAddress))?
          .assumingMemoryBound(to: CChar.self),
        CInt(bytes.count), CInt(limit), isKept || bytes.count < 16 << 10 ? 1 : 16)
      initialized = max(0, Int(written))
    }
    return result.isEmpty ? nil : result
  }

  /// Decompresses bytes into memory of exactly `count` bytes.
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
