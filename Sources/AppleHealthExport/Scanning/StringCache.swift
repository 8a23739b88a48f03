import Foundation

/// Strings by their undecoded bytes: the types, units, sources and devices that repeat on nearly
/// every record.
///
/// Direct-mapped: a newer string replaces an older one in its slot. Bounded at about 300 KiB.
struct StringCache: ~Copyable {
  private static var longest: Int { 512 }

  private var texts: [String]
  private var counts: [Int]
  private let bytes: UnsafeMutablePointer<UInt8>
  private let shift: Int

  /// An empty cache.
  ///
  /// - Parameter slots: How many strings it holds at most, a power of two from 2 on.
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

  /// Where a string belongs.
  ///
  /// Identifiers share their first bytes, so the last eight and the middle decide.
  private func slot(_ raw: UnsafeBufferPointer<UInt8>) -> Int {
    guard raw.count >= 8 else { return raw.count & (texts.count - 1) }
    let pointer = UnsafeRawBufferPointer(raw)
    let last = pointer.loadUnaligned(fromByteOffset: raw.count - 8, as: UInt64.self)
    let middle = pointer.loadUnaligned(fromByteOffset: (raw.count - 8) / 2, as: UInt64.self)
    let mixed = (last ^ (middle &* 0x9e37_79b9_7f4a_7c15) ^ UInt64(raw.count))
    return Int(truncatingIfNeeded: (mixed &* 0xd6e8_feb8_6659_fd93) >> UInt64(shift))
  }
}
