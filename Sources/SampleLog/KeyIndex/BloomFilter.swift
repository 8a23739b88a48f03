/// A blocked Bloom filter for the identifiers of a segment; a lookup touches one cache line.
///
/// Each key sets three bits in each of two words of one line. At ten bits per key, the
/// false-positive rate is 1 %. The filter is a quarter of the size of the key index, so that the
/// filters of many segments stay in the processor's cache during bulk inserts. Only segments
/// written by this process have a filter; it is not stored in files.
package final class BloomFilter: Sendable {
  private static let bitsPerKey = 10
  private static let lineBits = 512
  private let lines: Int
  private let memory: RawMemory

  /// The size of the filter, in bytes.
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

  /// Returns the line of a hash.
  ///
  /// The upper bits select the line, the lower bits the positions within it.
  @inline(__always)
  private func line(_ hash: UInt64) -> Int {
    Int(truncatingIfNeeded: hash.multipliedFullWidth(by: UInt64(lines)).high)
  }

  /// The bits that a key sets in its line.
  private struct Bits {
    let firstWord: Int
    let secondWord: Int
    let first: UInt64
    let second: UInt64

    @inline(__always)
    init(_ hash: UInt64) {
      let word = hash & 7
      firstWord = Int(truncatingIfNeeded: word)
      // Always differs from the first word.
      secondWord = Int(truncatingIfNeeded: word ^ (1 &+ hash &>> 3 & 3))
      first = 1 &<< (hash &>> 6) | 1 &<< (hash &>> 12) | 1 &<< (hash &>> 18)
      second = 1 &<< (hash &>> 24) | 1 &<< (hash &>> 30) | 1 &<< (hash &>> 36)
    }
  }

  /// Prefetches the line that ``mayContain(_:)`` reads.
  @inline(__always)
  func prefetch(_ hash: UInt64) {
    SampleLog.prefetch(UnsafeRawPointer(memory.base) + line(hash) &<< 6)
  }

  /// Returns whether the segment may contain a key with the given hash; false positives are
  /// possible, false negatives are not.
  @inline(__always)
  package func mayContain(_ hash: UInt64) -> Bool {
    let base = UnsafeRawPointer(memory.base) + line(hash) &<< 6
    let bits = Bits(hash)
    let first = base.load(fromByteOffset: bits.firstWord &<< 3, as: UInt64.self)
    let second = base.load(fromByteOffset: bits.secondWord &<< 3, as: UInt64.self)
    return first & bits.first == bits.first && second & bits.second == bits.second
  }
}
