import Foundation

/// A cache of decoded strings by their raw bytes, for the types, units, sources and devices that
/// nearly every record repeats.
///
/// The cache is direct-mapped: a new string replaces the previous one in its slot. Its size is
/// bounded at about 300 KiB.
struct StringCache: ~Copyable {
  private static var longest: Int { 512 }

  private var texts: [String]
  private var counts: [Int]
  private let bytes: UnsafeMutablePointer<UInt8>
  private let shift: Int

  /// Creates an empty cache.
  ///
  /// - Parameter slots: The maximum number of strings, a power of two of at least 2.
  init(slots: Int) {
    precondition(slots > 1 && slots.nonzeroBitCount == 1, "a cache needs a power of two of slots")
    texts = [String](repeating: "", count: slots)
    counts = [Int](repeating: 0, count: slots)
    bytes = .allocate(capacity: slots * Self.longest)
    shift = 64 - slots.trailingZeroBitCount
  }

  deinit { bytes.deallocate() }

  func find(_ raw: UnsafeBufferPointer<UInt8>) -> String? {
    guard raw.count <= Self.longest, let base = raw.baseAddress else { return nil }
    let slot = slot(raw)
    guard counts[slot] == raw.count, memcmp(bytes + slot * Self.longest, base, raw.count) == 0
    else { return nil }
    return texts[slot]
  }

  mutating func insert(_ raw: UnsafeBufferPointer<UInt8>, _ text: String) {
    guard !raw.isEmpty, raw.count <= Self.longest, let base = raw.baseAddress else { return }
    let slot = slot(raw)
    (bytes + slot * Self.longest).update(from: base, count: raw.count)
    counts[slot] = raw.count
    texts[slot] = text
  }

  /// Returns the slot of a string.
  ///
  /// Identifiers share their first bytes, so the hash covers the last eight and the middle eight.
  private func slot(_ raw: UnsafeBufferPointer<UInt8>) -> Int {
    guard raw.count >= 8 else { return raw.count & (texts.count - 1) }
    let pointer = UnsafeRawBufferPointer(raw)
    let last = pointer.loadUnaligned(fromByteOffset: raw.count - 8, as: UInt64.self)
    let middle = pointer.loadUnaligned(fromByteOffset: (raw.count - 8) / 2, as: UInt64.self)
    let mixed = (last ^ (middle &* 0x9e37_79b9_7f4a_7c15) ^ UInt64(raw.count))
    return Int(truncatingIfNeeded: (mixed &* 0xd6e8_feb8_6659_fd93) >> UInt64(shift))
  }
}
