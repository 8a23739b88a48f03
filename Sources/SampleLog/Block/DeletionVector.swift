/// The set of sequence numbers of deleted samples that a file may still hold, with value semantics.
///
/// The numbers are partitioned into pieces of 65,536, each a shared immutable object that is either
/// a short sorted list or a bitmap. Copying the set costs one array; a deletion replaces at most
/// one piece of 8 KiB.
package struct DeletionVector: Sendable {
  final class Piece: Sendable {
    /// The bitmap, one bit per number; empty while the piece is a list.
    let words: [UInt64]
    /// The list of members in ascending order; empty once the piece is a bitmap.
    let few: [UInt16]

    init(_ words: [UInt64]) {
      self.words = words
      few = []
    }

    init(few: [UInt16]) {
      self.few = few
      words = []
    }

    @inline(__always)
    func contains(_ bit: Int) -> Bool {
      if words.isEmpty { return few.contains(UInt16(truncatingIfNeeded: bit)) }
      return words[bit >> 6] >> UInt64(bit & 63) & 1 == 1
    }

    /// Returns the number of members within a range of the piece.
    func count(_ range: ClosedRange<Int>) -> Int {
      if words.isEmpty { return few.reduce(0) { $0 + (range.contains(Int($1)) ? 1 : 0) } }
      let first = range.lowerBound >> 6
      let last = range.upperBound >> 6
      var count = 0
      for number in first...last {
        var word = words[number]
        if number == first { word &= .max << UInt64(range.lowerBound & 63) }
        if number == last { word &= .max >> UInt64(63 - range.upperBound & 63) }
        count += word.nonzeroBitCount
      }
      return count
    }

    /// The members as a bitmap, built on demand if the piece is a list.
    var bitmap: [UInt64] {
      if !words.isEmpty { return words }
      var words = [UInt64](repeating: 0, count: DeletionVector.wordsPerPiece)
      for bit in few { words[Int(bit >> 6)] |= 1 << UInt64(bit & 63) }
      return words
    }
  }

  static let pieceBits: UInt64 = 16
  static let wordsPerPiece = 1 << (16 - 6)
  /// The maximum length of a list; a piece with more members is a bitmap.
  static let fewest = 32
  /// The number of pieces that the array `pieces` can hold; later pieces are in the dictionary
  /// `far`.
  ///
  /// The limit bounds memory if a file contains a sequence number near the maximum.
  static let nearCount = 1 << 16
  private(set) var pieces: [Piece?] = []
  private(set) var far: [Int: Piece] = [:]

  private subscript(number: Int) -> Piece? {
    get {
      if number < pieces.count { return pieces[number] }
      return far.isEmpty ? nil : far[number]
    }
    set {
      guard number < Self.nearCount else {
        far[number] = newValue
        return
      }
      if number >= pieces.count {
        pieces.append(contentsOf: repeatElement(nil, count: number + 1 - pieces.count))
      }
      pieces[number] = newValue
    }
  }

  package init() {}

  package private(set) var count = 0

  package var isEmpty: Bool { count == 0 }

  @inline(__always)
  package func contains(_ sequence: UInt64) -> Bool {
    self[Int(sequence >> Self.pieceBits)]?.contains(Int(sequence & 0xFFFF)) ?? false
  }

  /// A lookup cursor that retains no piece, for runs of numbers that mostly fall into the same
  /// piece.
  struct Cursor {
    private let set: DeletionVector
    private var number = -1
    private var piece: Unmanaged<Piece>?

    init(_ set: DeletionVector) { self.set = set }

    @inline(__always)
    mutating func contains(_ sequence: UInt64) -> Bool {
      let wanted = Int(sequence >> DeletionVector.pieceBits)
      if wanted != number { (number, piece) = (wanted, set[wanted].map { .passUnretained($0) }) }
      guard let piece else { return false }
      return piece._withUnsafeGuaranteedRef { $0.contains(Int(sequence & 0xFFFF)) }
    }
  }

  /// Returns whether the set may contain a number of the range; false positives are possible, false
  /// negatives are not.
  package func mayIntersect(_ first: UInt64, _ last: UInt64) -> Bool {
    guard count > 0, first <= last else { return false }
    let lower = Int(first >> Self.pieceBits)
    let upper = Int(last >> Self.pieceBits)
    if far.keys.contains(where: { lower <= $0 && $0 <= upper }) { return true }
    let near = min(upper, pieces.count - 1)
    guard lower <= near else { return false }
    return pieces[lower...near].contains { $0 != nil }
  }

  /// Returns the number of members in a closed range.
  package func count(_ first: UInt64, _ last: UInt64) -> Int {
    guard count > 0, first <= last else { return 0 }
    let lower = Int(first >> Self.pieceBits)
    let upper = Int(last >> Self.pieceBits)
    func members(_ piece: Piece, _ number: Int) -> Int {
      let begin = number == lower ? Int(first & 0xFFFF) : 0
      let end = number == upper ? Int(last & 0xFFFF) : 0xFFFF
      return piece.count(begin...end)
    }
    var result = 0
    for (number, piece) in far where lower <= number && number <= upper {
      result += members(piece, number)
    }
    let near = min(upper, pieces.count - 1)
    guard lower <= near else { return result }
    for number in lower...near {
      if let piece = pieces[number] { result += members(piece, number) }
    }
    return result
  }

  /// Inserts numbers in any order.
  package mutating func insert(_ sequences: [UInt64]) {
    guard let first = sequences.first else { return }
    let number = Int(first >> Self.pieceBits)
    // The samples that a commit deletes are usually in one piece.
    if sequences.allSatisfy({ Int($0 >> Self.pieceBits) == number }) {
      let members = sequences.map { UInt16(truncatingIfNeeded: $0) }
      return members.withUnsafeBufferPointer { insert($0, into: number) }
    }
    let (members, ends) = sequences.withUnsafeBufferPointer { Self.grouped($0) }
    members.withUnsafeBufferPointer { members in
      var begin = 0
      for (number, end) in ends where begin < end {
        insert(UnsafeBufferPointer(rebasing: members[begin..<end]), into: number)
        begin = end
      }
    }
  }

  private mutating func insert(_ members: UnsafeBufferPointer<UInt16>, into number: Int) {
    let piece = self[number]
    if members.count + (piece?.few.count ?? 0) <= Self.fewest, piece?.words.isEmpty ?? true {
      let few = Set((piece?.few ?? []) + members).sorted()
      count += few.count - (piece?.few.count ?? 0)
      self[number] = Piece(few: few)
      return
    }
    var words = piece?.bitmap ?? [UInt64](repeating: 0, count: Self.wordsPerPiece)
    var added = 0
    words.withUnsafeMutableBufferPointer { words in
      for index in 0..<members.count {
        let member = members[index]
        let old = words[Int(member &>> 6)]
        let bit = UInt64(member & 63)
        added &+= Int(truncatingIfNeeded: old &>> bit & 1 ^ 1)
        words[Int(member &>> 6)] = old | 1 &<< bit
      }
    }
    count += added
    self[number] = Piece(words)
  }

  /// Returns the low halves of numbers, piece by piece, and the index after the last of each piece.
  private static func grouped(
    _ sequences: UnsafeBufferPointer<UInt64>
  ) -> (members: [UInt16], ends: [(number: Int, end: Int)]) {
    var greatest: UInt64 = 0
    for index in 0..<sequences.count { greatest = max(greatest, sequences[index] >> pieceBits) }
    // Counting is faster than sorting unless there are far more pieces than numbers.
    guard greatest < UInt64(sequences.count) else {
      let sorted = sequences.sorted()
      var ends: [(number: Int, end: Int)] = []
      for (index, sequence) in sorted.enumerated() {
        let number = Int(sequence >> pieceBits)
        if ends.last?.number != number { ends.append((number, index)) }
        ends[ends.count - 1].end = index + 1
      }
      return (sorted.map { UInt16(truncatingIfNeeded: $0) }, ends)
    }
    var next = [Int](repeating: 0, count: Int(greatest) + 2)
    let members = next.withUnsafeMutableBufferPointer { next in
      // In range: no number is in a piece after the greatest.
      for index in 0..<sequences.count {
        next[Int(truncatingIfNeeded: sequences[index] >> pieceBits) &+ 1] &+= 1
      }
      for number in 1..<next.count { next[number] += next[number - 1] }
      return [UInt16](unsafeUninitializedCapacity: sequences.count) { members, initialized in
        for index in 0..<sequences.count {
          let number = Int(truncatingIfNeeded: sequences[index] >> pieceBits)
          members[next[number]] = UInt16(truncatingIfNeeded: sequences[index])
          next[number] &+= 1
        }
        initialized = sequences.count
      }
    }
    return (members, next.dropLast().enumerated().map { ($0.offset, $0.element) })
  }

  /// Removes numbers whose samples no file holds any more.
  package mutating func remove(_ sequences: [UInt64]) {
    for (number, members) in Dictionary(grouping: sequences, by: { Int($0 >> Self.pieceBits) }) {
      guard let piece = self[number] else { continue }
      var words = piece.bitmap
      for sequence in members {
        let bit = Int(sequence & 0xFFFF)
        let mask: UInt64 = 1 << UInt64(bit & 63)
        if words[bit >> 6] & mask != 0 {
          words[bit >> 6] &= ~mask
          count -= 1
        }
      }
      self[number] = words.contains { $0 != 0 } ? Piece(words) : nil
    }
  }
}
