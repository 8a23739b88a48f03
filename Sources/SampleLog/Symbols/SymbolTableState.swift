/// The state of a symbol table, guarded by its lock.
struct SymbolTableState {
  private var numbers: [ByteKey: Symbol] = [ByteKey([]): 0]
  /// The name of each number; free numbers have none.
  private(set) var names: [[UInt8]] = [[]]
  /// The numbers of owned types, by the name of their owners' type.
  private(set) var owned: [ByteKey: [Symbol]] = [:]
  /// The number of leases of each name that only readers have asked for.
  private var leases: [Symbol: Int] = [:]
  /// Numbers that were given back.
  ///
  /// Those that ``names`` has grown past again, or ends before, do not count: looking for them with
  /// each name that goes would take time in the square of the names.
  private var free: [Symbol] = []
  /// Numbers whose names have changed since the names were put in order last.
  private var renamed: Set<Symbol> = []

  /// Returns the number of a name, which it keeps for ever.
  mutating func intern(_ name: [UInt8]) -> Symbol {
    let symbol = number(of: name)
    keep(symbol)
    return symbol
  }

  /// Keeps the name of a number for ever.
  mutating func keep(_ symbol: Symbol) {
    if !leases.isEmpty { leases[symbol] = nil }
  }

  /// Returns the number of a name, and whether the name goes with its last lease.
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

  /// Ends one lease of a name, unless something stored has it by now.
  mutating func release(_ symbol: Symbol) {
    guard let count = leases[symbol] else { return }
    if count > 1 {
      leases[symbol] = count - 1
      return
    }
    leases[symbol] = nil
    let name = names[Int(symbol)]
    numbers[ByteKey(name)] = nil
    if let owner = OwnedType.owner(name) {
      let owner = ByteKey([UInt8](owner))
      owned[owner]?.removeAll { $0 == symbol }
      if owned[owner]?.isEmpty == true { owned[owner] = nil }
    }
    names[Int(symbol)] = []
    renamed.insert(symbol)
    free.append(symbol)
    // As if the last names had never been there.
    while names.count > 1, names[names.count - 1].isEmpty { names.removeLast() }
  }

  /// The number of a name that has one.
  func find(_ name: [UInt8]) -> Symbol? { numbers[ByteKey(name)] }

  /// Returns the numbers whose names have changed since the last call.
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
    // Looked up once, whether it is new or not.
    func number(_ entry: inout Symbol) -> Symbol { entry }
    let symbol = number(&numbers[ByteKey(name), default: new])
    guard symbol == new else { return symbol }
    if free.popLast() != nil {
      names[Int(new)] = name
      renamed.insert(new)
    } else {
      names.append(name)
    }
    if let owner = OwnedType.owner(name) {
      owned[ByteKey([UInt8](owner)), default: []].append(symbol)
    }
    return symbol
  }
}
