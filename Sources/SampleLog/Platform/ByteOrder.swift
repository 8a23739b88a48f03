internal import CPlatform

extension [UInt8] {
  /// Whether these bytes come before others, byte by byte.
  func precedes(_ other: [UInt8]) -> Bool { other.withUnsafeBytes { precedes($0) } }

  /// Whether these bytes come before others, byte by byte.
  func precedes(_ other: UnsafeRawBufferPointer) -> Bool {
    let shared = Swift.min(count, other.count)
    let order = withUnsafeBytes {
      cplatform_compare($0.baseAddress, other.baseAddress, shared)
    }
    return order < 0 || order == 0 && count < other.count
  }

  /// Whether these bytes are others.
  func equals(_ other: UnsafeRawBufferPointer) -> Bool {
    count == other.count
      && withUnsafeBytes { cplatform_compare($0.baseAddress, other.baseAddress, count) } == 0
  }
}
