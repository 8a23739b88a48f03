/// The names that a reader asks for, which have numbers for as long as the lease lives.
///
/// A program that asks for names which nothing stored has leaves none behind, so clients that can
/// choose names cannot fill its memory. A name that comes to be stored meanwhile keeps its number,
/// so that observers of the number notice. The numbers of a released lease may get other names:
/// whatever uses one holds the lease.
package final class SymbolLease: Sendable {
  private let table: SymbolTable
  private let held = Locked<Set<Symbol>>([])

  /// Creates a lease of no names.
  package init(_ table: SymbolTable) { self.table = table }

  deinit { table.release(held.withLock { $0 }) }

  /// Returns the number of a name, which is valid while the lease lives.
  package func symbol(_ name: [UInt8]) -> Symbol {
    held.withLock { held in
      let (symbol, isLeased) = table.lease(name)
      // Once for each name, however often a query that runs for months asks.
      if isLeased, !held.insert(symbol).inserted { table.release([symbol]) }
      return symbol
    }
  }

  /// Returns the number of a string's UTF-8 bytes, which is valid while the lease lives.
  package func symbol(_ name: String) -> Symbol { symbol(Array(name.utf8)) }
}
