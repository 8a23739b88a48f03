private import Synchronization

/// The interned byte strings of a store: a mapping between names and symbols.
///
/// Symbols are valid only in this table; each file has its own numbering. Symbol 0 is the empty
/// string and means "none". An interned or stored name keeps its symbol permanently; a name that
/// only readers use keeps it for the duration of their leases.
@usableFromInline
package final class SymbolTable: Sendable {
  /// The symbols sorted by the bytes of their names, and the rank of each.
  private struct Order {
    var symbols: [Symbol] = [0]
    var ranks: [UInt32] = [0]

    /// Merges new names and those whose symbol was reassigned.
    mutating func update(_ names: [[UInt8]], renamed: Set<Symbol>) {
      func precedes(_ one: Symbol, _ other: Symbol) -> Bool {
        names[Int(one)].precedes(names[Int(other)])
      }
      let known = min(ranks.count, names.count)
      if !renamed.isEmpty { symbols.removeAll { $0 >= known || renamed.contains($0) } }
      let changed = renamed.filter { $0 < known } + (known..<names.count).map { Symbol($0) }
      symbols += changed.sorted(by: precedes)
      // Two sorted runs, which the standard library's sort merges.
      symbols.sort(by: precedes)
      ranks = [UInt32](repeating: 0, count: names.count)
      for (rank, symbol) in symbols.enumerated() { ranks[Int(symbol)] = UInt32(rank) }
    }
  }

  private static let tables = Locked(UInt32(0))

  /// The number of the table, unique in this process and never 0.
  package let number = SymbolTable.tables.withLock { last in
    last += 1
    return last
  }
  private let state = Locked(SymbolTableState())
  private let releaseTally = Atomic(0)
  private let order = Locked(Order())
  /// The subjects of the segment that was opened last.
  private let lastSubjects = Locked<SubjectList?>(nil)
  /// The identifier streams that the store's files refer to.
  package let streams = IdentifierStreams()

  /// Creates a table that contains only the empty string.
  package init() {}

  /// Returns the symbol of a byte string, and interns a new one permanently.
  package func intern(_ name: [UInt8]) -> Symbol {
    state.withLock { $0.intern(name) }
  }

  /// Returns the symbols of byte strings, and interns new ones permanently.
  ///
  /// Releases the lock after every 256 names, because readers wait for it.
  func intern(_ names: [[UInt8]]) -> [Symbol] {
    var symbols: [Symbol] = []
    symbols.reserveCapacity(names.count)
    state.withLock { $0.reserveCapacity(names.count) }
    for first in stride(from: 0, to: names.count, by: 256) {
      state.withLock { state in
        for name in names[first..<min(first + 256, names.count)] {
          symbols.append(state.intern(name))
        }
      }
    }
    return symbols
  }

  /// Returns the symbol of a string's UTF-8 bytes, and interns a new one permanently.
  package func intern(_ name: String) -> Symbol {
    intern([UInt8](name.utf8))
  }

  /// Returns the subjects encoded in some bytes.
  ///
  /// Reuses the list of the previous segment if the bytes are the same.
  func subjects(named bytes: UnsafeRawBufferPointer) throws(CodecError) -> SubjectList {
    if let last = lastSubjects.withLock({ $0 }), last.equals(bytes) { return last }
    let list = SubjectList(try SubjectNames(bytes))
    lastSubjects.withLock { $0 = list }
    return list
  }

  /// Returns the symbol of a byte string for a reader, which must release it if it is leased.
  func lease(_ name: [UInt8]) -> (symbol: Symbol, isLeased: Bool) {
    state.withLock { $0.lease(name) }
  }

  /// Releases leases; removes names without further users and makes their symbols available again.
  func release(_ symbols: Set<Symbol>) {
    if symbols.isEmpty { return }
    state.withLock { state in
      for symbol in symbols { state.release(symbol) }
      releaseTally.add(1, ordering: .releasing)
    }
  }

  /// The number of releases of leases; while it does not change, every symbol keeps its name.
  var releaseCount: Int { releaseTally.load(ordering: .acquiring) }

  /// Makes a symbol permanent, because stored data refers to its name.
  ///
  /// Returns the name, or nil if the symbol is unassigned.
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

  /// Returns the symbol of a byte string, or nil if it has none.
  package func find(_ name: [UInt8]) -> Symbol? {
    state.withLock { $0.find(name) }
  }

  /// Returns the byte string of a symbol of this table.
  package func name(_ symbol: Symbol) -> [UInt8] {
    state.withLock { $0.names[Int(symbol)] }
  }

  /// Returns the byte strings of symbols of this table.
  func names(_ symbols: [Symbol]) -> [[UInt8]] {
    state.withLock { state in symbols.map { state.names[Int($0)] } }
  }

  /// Returns the rank of each symbol: the number of names that sort before its own, by bytes.
  ///
  /// The order is cached, because comparing names dominates the cost of sorting.
  ///
  /// - Complexity: O(1), or O(*n*) for *n* names plus the cost of sorting if some are new.
  func ranks() -> [UInt32] {
    order.withLock { order in
      let (names, renamed) = state.withLock { ($0.names, $0.takeRenamed()) }
      if names.count > order.ranks.count || !renamed.isEmpty {
        order.update(names, renamed: renamed)
      }
      return order.ranks
    }
  }

  /// Returns the byte string of a symbol as text; invalid UTF-8 is repaired.
  package func text(_ symbol: Symbol) -> String {
    String(decoding: name(symbol), as: UTF8.self)
  }

  /// Returns whether a symbol is that of a child type, a ``ChildType``.
  package func isChildType(_ symbol: Symbol) -> Bool {
    state.withLock { !$0.children.isEmpty && ChildType.isName($0.names[Int(symbol)]) }
  }

  /// Returns the child types of a type.
  package func childTypes(of type: Symbol) -> [Symbol] {
    state.withLock { state in
      if state.children.isEmpty { return [] }
      return state.children[ByteKey(state.names[Int(type)])] ?? []
    }
  }

  /// The upper bound of the assigned symbols: all are less than `count`.
  package var count: Int { state.withLock { $0.names.count } }
}
