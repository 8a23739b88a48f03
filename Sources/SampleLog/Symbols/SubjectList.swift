internal import Dispatch
private import Synchronization

/// The subjects of a segment, in the segment's order.
///
/// A segment may name a million subjects of which few are queried. Their names therefore remain
/// encoded, at 5 to 10 bytes each, until an eighth of them have been looked up; then all are
/// interned, at another 12 to 20 bytes each. Segments of a store that name the same subjects share
/// one list.
package final class SubjectList: Sendable {
  let count: Int
  private let names: SubjectNames?
  private let numbered = SetOnceReference<NumberedSubjects>()
  private let numbering = Locked(())
  private let wanted = Atomic<Int>(0)

  /// Creates the list of a segment that refers to its subjects by symbol.
  init(_ symbols: [Symbol]) {
    count = symbols.count
    names = nil
    numbered.publish(NumberedSubjects(symbols))
  }

  init(_ names: SubjectNames) {
    count = names.count
    self.names = names
  }

  /// Returns whether the encoded names equal some bytes.
  func equals(_ bytes: UnsafeRawBufferPointer) -> Bool { names?.equals(bytes) ?? false }

  /// Returns the index of a subject, or nil if the list does not contain it.
  func position(of symbol: Symbol, _ table: SymbolTable) -> Int? {
    if let names, !isNumbered(table, wanting: 1) {
      let position = names.position(of: table.name(symbol))
      if position != nil { table.keep(symbol) }
      return position
    }
    return numbered.withObject { $0.position(of: symbol) } ?? nil
  }

  /// Returns the subject at an index.
  func symbol(_ position: Int, _ table: SymbolTable) -> Symbol {
    if let names, !isNumbered(table, wanting: 1) { return table.intern(names[position]) }
    return numbered.withObject { $0.symbols[position] } ?? 0
  }

  /// Interns all subjects, because the caller is about to look up many of them.
  func numberAll(_ table: SymbolTable) { _ = isNumbered(table, wanting: count) }

  private var isNumbered: Bool {
    @inline(__always) get { numbered.withObject { _ in true } ?? false }
  }

  /// Returns whether the subjects are interned; counts look-ups and interns all after many.
  @inline(__always)
  private func isNumbered(_ table: SymbolTable, wanting more: Int) -> Bool {
    isNumbered || numberIfMany(table, wanting: more)
  }

  private func numberIfMany(_ table: SymbolTable, wanting more: Int) -> Bool {
    guard let names else { return false }
    let total = wanted.add(more, ordering: .relaxed).newValue
    guard total * 8 > count else { return false }
    if InlineWork.isActive, count > Self.inlineLimit {
      // The first inline look-up that exceeds the threshold starts interning in the background.
      if (total - more) * 8 <= count {
        DispatchQueue.global().async { self.number(names, table) }
      }
      return false
    }
    number(names, table)
    return true
  }

  private func number(_ names: SubjectNames, _ table: SymbolTable) {
    numbering.withLock { _ in
      if !isNumbered { numbered.publish(NumberedSubjects(table.intern(names.all))) }
    }
  }

  /// The maximum number of names that an inline attempt interns on the caller's thread.
  private static let inlineLimit = 256
}

/// The interned subjects, by index and by symbol.
private final class NumberedSubjects: Sendable {
  let symbols: [Symbol]
  // An open-addressing hash table of indices plus one.
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

  /// Returns the index of a subject, or nil if the list does not contain it.
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
