/// The byte strings that rows name by number, kept once for the whole process.
///
/// Numbers mean nothing outside this table: files carry their own. Number 0 is the empty string and
/// stands for "none". A name that is interned, or that something stored has, keeps its number for
/// ever; one that only readers ask for has it for as long as their lease.
@usableFromInline
package final class SymbolTable: Sendable {
  /// The numbers in the order of their names' bytes, and the position of each.
  private struct Order {
    var symbols: [Symbol] = [0]
    var ranks: [UInt32] = [0]

    /// Takes the names that are new, and those whose number had another name or none before.
    mutating func update(_ names: [[UInt8]], renamed: Set<Symbol>) {
      func precedes(_ one: Symbol, _ other: Symbol) -> Bool {
        names[Int(one)].precedes(names[Int(other)])
      }
      let known = min(ranks.count, names.count)
      if !renamed.isEmpty { symbols.removeAll { $0 >= known || renamed.contains($0) } }
      let changed = renamed.filter { $0 < known } + (known..<names.count).map { Symbol($0) }
      symbols += changed.sorted(by: precedes)
      // Two sorted runs, which the library's sort merges.
      symbols.sort(by: precedes)
      ranks = [UInt32](repeating: 0, count: names.count)
      for (rank, symbol) in symbols.enumerated() { ranks[Int(symbol)] = UInt32(rank) }
    }
  }

  private static let tables = Locked(UInt32(0))

  /// Tells the table from every other of this process, never 0.
  package let number = SymbolTable.tables.withLock { last in
    last += 1
    return last
  }
  private let state = Locked(SymbolTableState())
  private let order = Locked(Order())
  /// The subjects that a segment named last.
  private let lastSubjects = Locked<SubjectList?>(nil)
  /// The streams of identifiers that the store's files name.
  package let streams = IdentifierStreams()

  /// Creates a table that knows the empty string only.
  package init() {}

  /// Returns the number of a byte string, giving it one when it is new.
  package func intern(_ name: [UInt8]) -> Symbol {
    state.withLock { $0.intern(name) }
  }

  /// Returns the numbers of byte strings, giving one to each that is new.
  func intern(_ names: [[UInt8]]) -> [Symbol] {
    state.withLock { state in
      state.reserveCapacity(names.count)
      return names.map { state.intern($0) }
    }
  }

  /// Returns the number of a string's UTF-8 bytes, giving it one when it is new.
  package func intern(_ name: String) -> Symbol {
    intern([UInt8](name.utf8))
  }

  /// Returns the subjects that a segment names in some bytes, which are read unless the segment
  /// before named the same.
  func subjects(named bytes: UnsafeRawBufferPointer) throws(CodecError) -> SubjectList {
    if let last = lastSubjects.withLock({ $0 }), last.equals(bytes) { return last }
    let list = SubjectList(try SubjectNames(bytes))
    lastSubjects.withLock { $0 = list }
    return list
  }

  /// Returns the number of a byte string for a reader that must release it.
  func lease(_ name: [UInt8]) -> (symbol: Symbol, isLeased: Bool) {
    state.withLock { $0.lease(name) }
  }

  /// Ends leases; names that nothing else has are forgotten, and their numbers given again.
  func release(_ symbols: Set<Symbol>) {
    state.withLock { state in
      for symbol in symbols { state.release(symbol) }
    }
  }

  /// Keeps the name of a number for ever, because something stored has it, and returns it; nil for
  /// a number that has no name.
  @discardableResult
  package func keep(_ symbol: Symbol) -> [UInt8]? {
    state.withLock { state in
      guard Int(symbol) < state.names.count else { return nil }
      let name = state.names[Int(symbol)]
      if name.isEmpty, symbol != 0 { return nil }
      state.keep(symbol)
      return name
    }
  }

  /// Returns the number of a byte string that has one.
  package func find(_ name: [UInt8]) -> Symbol? {
    state.withLock { $0.find(name) }
  }

  /// Returns the byte string of a number this table gave.
  package func name(_ symbol: Symbol) -> [UInt8] {
    state.withLock { $0.names[Int(symbol)] }
  }

  /// Returns the byte strings of numbers this table gave.
  func names(_ symbols: [Symbol]) -> [[UInt8]] {
    state.withLock { state in symbols.map { state.names[Int($0)] } }
  }

  /// Returns for each number how many names come before its own in the order of their bytes.
  ///
  /// Comparing names takes most of the time of sorting them, so their order is kept.
  ///
  /// - Complexity: O(*n*) for *n* names where some are new, which are sorted; else O(1).
  func ranks() -> [UInt32] {
    order.withLock { order in
      let (names, renamed) = state.withLock { ($0.names, $0.takeRenamed()) }
      if names.count > order.ranks.count || !renamed.isEmpty {
        order.update(names, renamed: renamed)
      }
      return order.ranks
    }
  }

  /// Returns the byte string of a number as text; bytes that are not UTF-8 are repaired.
  package func text(_ symbol: Symbol) -> String {
    String(decoding: name(symbol), as: UTF8.self)
  }

  /// Whether a number is that of an ``OwnedType``.
  package func isOwnedType(_ symbol: Symbol) -> Bool {
    state.withLock { !$0.owned.isEmpty && OwnedType.isName($0.names[Int(symbol)]) }
  }

  /// The types whose rows belong to rows of a type.
  package func types(ownedBy type: Symbol) -> [Symbol] {
    state.withLock { state in
      if state.owned.isEmpty { return [] }
      return state.owned[ByteKey(state.names[Int(type)])] ?? []
    }
  }

  /// The bound of the numbers that have been given: all are below it.
  package var count: Int { state.withLock { $0.names.count } }
}
