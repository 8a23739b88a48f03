/// The subjects of a segment, in the order in which it names them, in 12 to 20 bytes each.
///
/// Segments of one store often name the same, and then share one list.
final class SubjectList: Sendable {
  let symbols: [Symbol]
  // Positions plus one, where the hash of their symbol says or in the next free slot.
  private let slots: [UInt32]
  private let shift: UInt32

  init(_ symbols: [Symbol]) {
    self.symbols = symbols
    let bits = Int.bitWidth - max(1, symbols.count).leadingZeroBitCount + 1
    let shift = UInt32(32 - bits)
    var slots = [UInt32](repeating: 0, count: 1 << bits)
    for (position, symbol) in symbols.enumerated() {
      var slot = Self.home(symbol, shift)
      while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
      slots[slot] = UInt32(position + 1)
    }
    self.slots = slots
    self.shift = shift
  }

  private static func home(_ symbol: Symbol, _ shift: UInt32) -> Int {
    Int((symbol &* 0x9E37_79B1) >> shift)
  }

  /// The position of a subject; nil when it is not there.
  func position(of symbol: Symbol) -> Int? {
    var slot = Self.home(symbol, shift)
    while slots[slot] != 0 {
      let position = Int(slots[slot]) - 1
      if symbols[position] == symbol { return position }
      slot = (slot + 1) & (slots.count - 1)
    }
    return nil
  }
}
