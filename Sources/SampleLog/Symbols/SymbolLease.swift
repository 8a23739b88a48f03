/// A lease on the symbols of names that a reader uses, valid until it is deallocated.
///
/// Without leases, clients that query arbitrary names could fill the process's memory. A name that
/// is stored during the lease keeps its symbol, so that observers of the symbol see it. After the
/// lease ends, its symbols may be reused for other names; code that uses such a symbol must retain
/// the lease.
package final class SymbolLease: Sendable {
  private let table: SymbolTable
  private let held = Locked(Held())

  private struct Held {
    var symbols: Set<Symbol> = []
    /// The cached symbols of objects.
    var known: [(object: ObjectIdentifier, symbol: Symbol)] = []
  }

  /// The maximum number of cached objects, which are searched linearly.
  private static let knownLimit = 16

  /// Creates an empty lease.
  package init(_ table: SymbolTable) { self.table = table }

  deinit { table.release(held.withLock { $0.symbols }) }

  /// Returns the symbol of a name, valid while the lease lives.
  package func symbol(_ name: [UInt8]) -> Symbol {
    held.withLock { lease(name, &$0) }
  }

  /// Returns the symbol of an object's name, valid while the lease lives.
  ///
  /// The object must live as long as the process, and its name must not change. The name is usually
  /// computed only on the first call.
  package func symbol(of object: AnyObject, _ name: () -> [UInt8]) -> Symbol {
    let object = ObjectIdentifier(object)
    return held.withLock { held in
      for one in held.known where one.object == object { return one.symbol }
      let symbol = lease(name(), &held)
      if held.known.count < Self.knownLimit { held.known.append((object, symbol)) }
      return symbol
    }
  }

  private func lease(_ name: [UInt8], _ held: inout Held) -> Symbol {
    let (symbol, isLeased) = table.lease(name)
    // The table counts leases, and this object holds only one for each name.
    if isLeased, !held.symbols.insert(symbol).inserted { table.release([symbol]) }
    return symbol
  }

  /// Returns the symbol of a string's UTF-8 bytes, valid while the lease lives.
  package func symbol(_ name: String) -> Symbol { symbol(Array(name.utf8)) }
}
