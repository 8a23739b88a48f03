/// A lease on the symbols of names that a reader uses, valid until it is deallocated.
///
/// Without leases, clients that query arbitrary names could fill the process's memory. A name that
/// is stored during the lease keeps its symbol, so that observers of the symbol see it. After the
/// lease ends, its symbols may be reused for other names; code that uses such a symbol must retain
/// the lease.
package final class SymbolLease: Sendable {
  private let table: SymbolTable
  private let held = Locked<Set<Symbol>>([])

  /// Creates an empty lease.
  package init(_ table: SymbolTable) { self.table = table }

  deinit { table.release(held.withLock { $0 }) }

  /// Returns the symbol of a name, valid while the lease lives.
  package func symbol(_ name: [UInt8]) -> Symbol {
    held.withLock { held in
      let (symbol, isLeased) = table.lease(name)
      // A name is leased once, however often a long-running query looks it up.
      if isLeased, !held.insert(symbol).inserted { table.release([symbol]) }
      return symbol
    }
  }

  /// Returns the symbol of a string's UTF-8 bytes, valid while the lease lives.
  package func symbol(_ name: String) -> Symbol { symbol(Array(name.utf8)) }
}
