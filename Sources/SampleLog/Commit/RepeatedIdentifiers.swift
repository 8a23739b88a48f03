/// Finds an identifier that occurs twice in a batch.
///
/// One bit for each identifier, at a position its hash says, tells nearly all of them apart; only
/// those that meet in a bit are looked at more closely. Clients choose identifiers, so the hash has
/// a key: with a known one they could make all identifiers of a batch meet.
package struct RepeatedIdentifiers {
  /// The position of the first identifier that occurred before; nil when there is none.
  package private(set) var first: Int?
  /// How many identifiers had to be looked at more closely.
  package private(set) var closerLooks = 0

  package init(_ ids: UnsafeBufferPointer<Identifier>, _ hash: KeyHash) {
    guard ids.count > 1 else { return }
    // 16 to 32 bits for each identifier.
    let shift = UInt64(64 - (Int.bitWidth - ids.count.leadingZeroBitCount) - 4)
    let words = max(1, 1 << (58 - Int(shift)))
    withUnsafeTemporaryAllocation(of: UInt64.self, capacity: words * 2) { bits in
      bits.initialize(repeating: 0)
      let met = UnsafeMutableBufferPointer(rebasing: bits[words...])
      var areAllApart = true
      for id in ids {
        let position = hash(id) >> shift
        let bit: UInt64 = 1 << (position & 63)
        if bits[Int(position >> 6)] & bit != 0 {
          met[Int(position >> 6)] |= bit
          areAllApart = false
        }
        bits[Int(position >> 6)] |= bit
      }
      if areAllApart { return }
      var known: Set<Identifier> = []
      for (index, id) in ids.enumerated() {
        let position = hash(id) >> shift
        if met[Int(position >> 6)] >> (position & 63) & 1 == 0 { continue }
        closerLooks += 1
        if !known.insert(id).inserted {
          first = index
          return
        }
      }
    }
  }
}
