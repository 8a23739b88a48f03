import Foundation

/// Comparisons and searches in raw bytes. Every method is safe for buffers of any length.
extension UnsafeBufferPointer where Element == UInt8 {
  /// Returns whether these are exactly the bytes of `name`.
  func equals(_ name: StaticString) -> Bool {
    guard count == name.utf8CodeUnitCount else { return false }
    guard let base = baseAddress else { return true }
    return memcmp(base, name.utf8Start, count) == 0
  }

  func starts(with prefix: StaticString) -> Bool {
    guard count >= prefix.utf8CodeUnitCount, let base = baseAddress else { return false }
    return memcmp(base, prefix.utf8Start, prefix.utf8CodeUnitCount) == 0
  }

  func ends(with suffix: StaticString) -> Bool {
    let length = suffix.utf8CodeUnitCount
    guard count >= length, let base = baseAddress else { return false }
    return memcmp(base + (count - length), suffix.utf8Start, length) == 0
  }

  /// Returns the index of the first occurrence of `byte`, or nil if it does not occur.
  func index(of byte: UInt8) -> Int? {
    guard count > 0, let base = baseAddress, let found = memchr(base, Int32(byte), count) else {
      return nil
    }
    return UnsafeRawPointer(found) - UnsafeRawPointer(base)
  }

  /// Returns the bytes of `range`, which must lie within the bounds of the buffer.
  func part(_ range: Range<Int>) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(rebasing: self[range])
  }
}

extension UInt8 {
  /// Whether the byte is a space, tab, line feed or carriage return.
  @inline(__always) var isXMLSpace: Bool { self == 32 || self == 10 || self == 9 || self == 13 }

  /// Whether an element name can start with this byte; every non-ASCII byte is accepted.
  var startsName: Bool {
    (self | 0x20) >= 0x61 && (self | 0x20) <= 0x7A || self == 0x5F || self == 0x3A || self >= 0x80
  }
}
