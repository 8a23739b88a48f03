internal import CPlatform

extension UnsafeRawBufferPointer {
  /// Returns whether these bytes precede others in lexicographic order.
  func precedes(_ other: UnsafeRawBufferPointer) -> Bool {
    let order = cplatform_compare(baseAddress, other.baseAddress, Swift.min(count, other.count))
    return order < 0 || order == 0 && count < other.count
  }
}

extension [UInt8] {
  /// Returns whether these bytes precede others in lexicographic order.
  func precedes(_ other: [UInt8]) -> Bool { other.withUnsafeBytes { precedes($0) } }

  /// Returns whether these bytes precede others in lexicographic order.
  func precedes(_ other: UnsafeRawBufferPointer) -> Bool {
    withUnsafeBytes { $0.precedes(other) }
  }

  /// Returns whether these bytes equal others.
  func equals(_ other: UnsafeRawBufferPointer) -> Bool {
    count == other.count
      && withUnsafeBytes { cplatform_compare($0.baseAddress, other.baseAddress, count) } == 0
  }
}
