private import Synchronization

/// The subjects of a segment, in the order in which it names them.
///
/// A segment may name a million people of whom few are asked for. So their names stay as the file
/// has them, 5 to 10 bytes each, until an eighth of them were wanted; then all get the numbers of
/// the store's table, which takes another 12 to 20 bytes each. Segments of one store often name the
/// same, and then share one list.
package final class SubjectList: Sendable {
  let count: Int
  private let names: SubjectNames?
  private let numbered = SetOnceReference<NumberedSubjects>()
  private let numbering = Locked(())
  private let wanted = Atomic<Int>(0)

  /// Takes the subjects of a segment that names them by their numbers.
  init(_ symbols: [Symbol]) {
    count = symbols.count
    names = nil
    numbered.publish(NumberedSubjects(symbols))
  }

  init(_ names: SubjectNames) {
    count = names.count
    self.names = names
  }

  /// Whether these are names in the same bytes.
  func equals(_ bytes: UnsafeRawBufferPointer) -> Bool { names?.equals(bytes) ?? false }

  /// The position of a subject; nil when it is not there.
  func position(of symbol: Symbol, _ table: SymbolTable) -> Int? {
    if let names, !isNumbered(table, wanting: 1) {
      let position = names.position(of: table.name(symbol))
      if position != nil { table.keep(symbol) }
      return position
    }
    return numbered.withObject { $0.position(of: symbol) } ?? nil
  }

  /// The subject at a position.
  func symbol(_ position: Int, _ table: SymbolTable) -> Symbol {
    if let names, !isNumbered(table, wanting: 1) { return table.intern(names[position]) }
    return numbered.withObject { $0.symbols[position] } ?? 0
  }

  /// Numbers all subjects, because many of them will be wanted.
  func numberAll(_ table: SymbolTable) { _ = isNumbered(table, wanting: count) }

  private var isNumbered: Bool {
    @inline(__always) get { numbered.withObject { _ in true } ?? false }
  }

  /// Whether the subjects have numbers, which they get once many were wanted.
  @inline(__always)
  private func isNumbered(_ table: SymbolTable, wanting more: Int) -> Bool {
    isNumbered || numberIfMany(table, wanting: more)
  }

  private func numberIfMany(_ table: SymbolTable, wanting more: Int) -> Bool {
    guard let names, wanted.add(more, ordering: .relaxed).newValue * 8 > count else { return false }
    numbering.withLock { _ in
      if !isNumbered { numbered.publish(NumberedSubjects(table.intern(names.all))) }
    }
    return true
  }
}

/// Subjects by their position, and back.
private final class NumberedSubjects: Sendable {
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
