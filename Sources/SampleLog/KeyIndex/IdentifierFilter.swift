/// Tells most identifiers that a segment does not have at the price of one load.
///
/// Four bits for each key in one word of 64 (a Bloom filter in blocks of a word): ten bits a key,
/// of which 3 in 100 strangers are let through. It is a fifth of the key index, so that those of
/// many segments stay in the processor's cache while samples come in by the million. Only segments
/// written by this process have one; files do not.
final class IdentifierFilter: Sendable {
  private static let bitsPerKey = 10
  private let words: Int
  private let memory: RawMemory

  init(_ keys: KeyCollector) {
    words = keys.count * Self.bitsPerKey / 64 + 1
    memory = RawMemory(words * 8)
    let base = memory.base.initializeMemory(as: UInt64.self, repeating: 0, count: words)
    keys.forEachHash { base[place($0)] |= Self.bits($0) }
  }

  @inline(__always)
  private func place(_ hash: UInt64) -> Int {
    Int(truncatingIfNeeded: hash.multipliedFullWidth(by: UInt64(words)).high)
  }

  /// The lower bits decide, which have no part in the place.
  @inline(__always)
  private static func bits(_ hash: UInt64) -> UInt64 {
    1 &<< hash | 1 &<< (hash &>> 6) | 1 &<< (hash &>> 12) | 1 &<< (hash &>> 18)
  }

  /// Asks for what ``mayContain(_:)`` reads before it does.
  @inline(__always)
  func prefetch(_ hash: UInt64) {
    SampleLog.prefetch(UnsafeRawPointer(memory.base) + place(hash) &<< 3)
  }

  /// Whether a key with a hash may be there; a true may be wrong, a false never.
  @inline(__always)
  func mayContain(_ hash: UInt64) -> Bool {
    let word = memory.base.load(fromByteOffset: place(hash) &<< 3, as: UInt64.self)
    let bits = Self.bits(hash)
    return word & bits == bits
  }
}
