/// The sequence numbers of deleted samples that may still be in a file, as a value.
///
/// A bitmap in pieces of 65,536 numbers, each a shared immutable object: a copy costs one array
/// and a deletion one piece of 8 KiB.
package struct DeadSet: Sendable {
  private final class Piece: Sendable {
    let words: [UInt64]
    init(_ words: [UInt64]) { self.words = words }
  }

  private static let pieceBits: UInt64 = 16
  private static let wordsPerPiece = 1 << (16 - 6)
  private var pieces: [Piece?] = []

  package init() {}

  package private(set) var count = 0

  package var isEmpty: Bool { count == 0 }

  @inline(__always)
  package func contains(_ sequence: UInt64) -> Bool {
    let number = Int(sequence >> Self.pieceBits)
    guard number < pieces.count, let piece = pieces[number] else { return false }
    let bit = Int(sequence & 0xFFFF)
    return piece.words[bit >> 6] >> UInt64(bit & 63) & 1 == 1
  }

  /// Whether any number of a range may be in the set; a true may be wrong, a false never.
  package func mayIntersect(_ first: UInt64, _ last: UInt64) -> Bool {
    guard count > 0, first <= last else { return false }
    let lower = Int(first >> Self.pieceBits)
    let upper = min(Int(last >> Self.pieceBits), pieces.count - 1)
    guard lower <= upper else { return false }
    return pieces[lower...upper].contains { $0 != nil }
  }

  /// Adds numbers, which need not be in order.
  package mutating func insert(_ sequences: [UInt64]) {
    var byPiece: [Int: [UInt64]] = [:]
    for sequence in sequences {
      byPiece[Int(sequence >> Self.pieceBits), default: []].append(sequence)
    }
    for (number, members) in byPiece {
      if number >= pieces.count {
        pieces.append(contentsOf: repeatElement(nil, count: number + 1 - pieces.count))
      }
      var words = pieces[number]?.words ?? [UInt64](repeating: 0, count: Self.wordsPerPiece)
      for sequence in members {
        let bit = Int(sequence & 0xFFFF)
        let mask: UInt64 = 1 << UInt64(bit & 63)
        if words[bit >> 6] & mask == 0 {
          words[bit >> 6] |= mask
          count += 1
        }
      }
      pieces[number] = Piece(words)
    }
  }

  /// Forgets numbers whose samples are in no file any more.
  package mutating func remove(_ sequences: [UInt64]) {
    for (number, members) in Dictionary(grouping: sequences, by: { Int($0 >> Self.pieceBits) }) {
      guard number < pieces.count, var words = pieces[number]?.words else { continue }
      for sequence in members {
        let bit = Int(sequence & 0xFFFF)
        let mask: UInt64 = 1 << UInt64(bit & 63)
        if words[bit >> 6] & mask != 0 {
          words[bit >> 6] &= ~mask
          count -= 1
        }
      }
      pieces[number] = words.contains { $0 != 0 } ? Piece(words) : nil
    }
  }
}
