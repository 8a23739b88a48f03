/// The state of a symbol table, guarded by its lock.
struct SymbolTableState {
  private var numbers: [ByteKey: Symbol] = [ByteKey([]): 0]
  /// The name of each symbol; empty for unassigned symbols.
  private(set) var names: [[UInt8]] = [[]]
  /// The symbols of child types, by the name of the parent type.
  private(set) var children: [ByteKey: [Symbol]] = [:]
  /// The number of leases of each symbol that only readers use.
  private var leases: [Symbol: Int] = [:]
  /// Released symbols that can be assigned again.
  ///
  /// May contain stale entries: symbols that have been assigned since, or that lie beyond the end
  /// of ``names``. Removing these on each release would take quadratic time.
  private var free: [Symbol] = []
  /// Symbols whose names have changed since the last sort.
  private var renamed: Set<Symbol> = []

  /// Returns the symbol of a name, and makes it permanent.
  mutating func intern(_ name: [UInt8]) -> Symbol {
    let symbol = number(of: name)
    keep(symbol)
    return symbol
  }

  /// Makes a symbol permanent.
  mutating func keep(_ symbol: Symbol) {
    if !leases.isEmpty { leases[symbol] = nil }
  }

  /// Returns the symbol of a name, and whether it is leased rather than permanent.
  mutating func lease(_ name: [UInt8]) -> (symbol: Symbol, isLeased: Bool) {
    if let known = numbers[ByteKey(name)] {
      guard let count = leases[known] else { return (known, false) }
      leases[known] = count + 1
      return (known, true)
    }
    let symbol = number(of: name)
    leases[symbol] = 1
    return (symbol, true)
  }

  /// Ends one lease of a symbol, unless it has become permanent.
  mutating func release(_ symbol: Symbol) {
    guard let count = leases[symbol] else { return }
    if count > 1 {
      leases[symbol] = count - 1
      return
    }
    leases[symbol] = nil
    let name = names[Int(symbol)]
    numbers[ByteKey(name)] = nil
    if let parent = ChildType.parent(name) {
      let parent = ByteKey([UInt8](parent))
      children[parent]?.removeAll { $0 == symbol }
      if children[parent]?.isEmpty == true { children[parent] = nil }
    }
    names[Int(symbol)] = []
    renamed.insert(symbol)
    free.append(symbol)
    // Shrinks the table as if the last names had never been added.
    while names.count > 1, names[names.count - 1].isEmpty { names.removeLast() }
  }

  /// Returns the symbol of a name, or nil if it has none.
  func find(_ name: [UInt8]) -> Symbol? { numbers[ByteKey(name)] }

  /// Returns the symbols whose names have changed since the last call.
  mutating func takeRenamed() -> Set<Symbol> {
    defer { renamed = [] }
    return renamed
  }

  mutating func reserveCapacity(_ count: Int) {
    numbers.reserveCapacity(count)
    names.reserveCapacity(count)
  }

  private mutating func number(of name: [UInt8]) -> Symbol {
    if name.isEmpty { return 0 }
    while let last = free.last, last >= names.count || !names[Int(last)].isEmpty {
      free.removeLast()
    }
    let new = free.last ?? Symbol(names.count)
    // A single hash look-up serves both new and known names.
    func number(_ entry: inout Symbol) -> Symbol { entry }
    let symbol = number(&numbers[ByteKey(name), default: new])
    guard symbol == new else { return symbol }
    if free.popLast() != nil {
      names[Int(new)] = name
      renamed.insert(new)
    } else {
      names.append(name)
    }
    if let parent = ChildType.parent(name) {
      children[ByteKey([UInt8](parent)), default: []].append(symbol)
    }
    return symbol
  }
}
