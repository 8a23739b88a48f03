/// Tells most identifiers that a segment does not have at the price of one load.
///
/// A Bloom filter in lines of the cache: three bits for each key in each of two words of one line;
/// at ten bits a key 1 in 100 strangers is let through. It is a quarter of the key index, so that
/// those of many segments stay in the processor's cache while samples come in by the million. Only
/// segments written by this process have one; files do not.
package final class BloomFilter: Sendable {
  private static let bitsPerKey = 10
  private static let lineBits = 512
  private let lines: Int
  private let memory: RawMemory

  /// How many bytes it takes.
  package var byteCount: Int { memory.count }

  package init(_ keys: KeyIndexBuilder) {
    lines = keys.count * Self.bitsPerKey / Self.lineBits + 1
    memory = RawMemory(lines * 64, alignment: 64)
    let words = memory.base.initializeMemory(as: UInt64.self, repeating: 0, count: lines * 8)
    keys.forEachHash { hash in
      let base = line(hash) * 8
      let bits = Bits(hash)
      words[base + bits.firstWord] |= bits.first
      words[base + bits.secondWord] |= bits.second
    }
  }

  /// The higher bits decide on the line, the lower ones on what is in it.
  @inline(__always)
  private func line(_ hash: UInt64) -> Int {
    Int(truncatingIfNeeded: hash.multipliedFullWidth(by: UInt64(lines)).high)
  }

  /// What is set for a key in its line.
  private struct Bits {
    let firstWord: Int
    let secondWord: Int
    let first: UInt64
    let second: UInt64

    @inline(__always)
    init(_ hash: UInt64) {
      let word = hash & 7
      firstWord = Int(truncatingIfNeeded: word)
      // Always another one.
      secondWord = Int(truncatingIfNeeded: word ^ (1 &+ hash &>> 3 & 3))
      first = 1 &<< (hash &>> 6) | 1 &<< (hash &>> 12) | 1 &<< (hash &>> 18)
      second = 1 &<< (hash &>> 24) | 1 &<< (hash &>> 30) | 1 &<< (hash &>> 36)
    }
  }

  /// Asks for what ``mayContain(_:)`` reads before it does.
  @inline(__always)
  func prefetch(_ hash: UInt64) {
    SampleLog.prefetch(UnsafeRawPointer(memory.base) + line(hash) &<< 6)
  }

  /// Whether a key with a hash may be there; a true may be wrong, a false never.
  @inline(__always)
  package func mayContain(_ hash: UInt64) -> Bool {
    let base = UnsafeRawPointer(memory.base) + line(hash) &<< 6
    let bits = Bits(hash)
    let first = base.load(fromByteOffset: bits.firstWord &<< 3, as: UInt64.self)
    let second = base.load(fromByteOffset: bits.secondWord &<< 3, as: UInt64.self)
    return first & bits.first == bits.first && second & bits.second == bits.second
  }
}
