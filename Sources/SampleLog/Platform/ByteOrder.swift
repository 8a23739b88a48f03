internal import CPlatform

extension [UInt8] {
  /// Returns whether these bytes precede others in lexicographic order.
  func precedes(_ other: [UInt8]) -> Bool { other.withUnsafeBytes { precedes($0) } }

  /// Returns whether these bytes precede others in lexicographic order.
  func precedes(_ other: UnsafeRawBufferPointer) -> Bool {
    let shared = Swift.min(count, other.count)
    let order = withUnsafeBytes {
      cplatform_compare($0.baseAddress, other.baseAddress, shared)
    }
    return order < 0 || order == 0 && count < other.count
  }

  /// Returns whether these bytes equal others.
  func equals(_ other: UnsafeRawBufferPointer) -> Bool {
    count == other.count
      && withUnsafeBytes { cplatform_compare($0.baseAddress, other.baseAddress, count) } == 0
  }
}
