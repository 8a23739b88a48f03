import SampleLog

/// A small cache of the symbols of recently used objects, keyed by reference.
struct SymbolsOfObjects<Object: AnyObject> {
  private static var capacity: Int { 32 }
  // The cache retains its objects, so that no other object can get the same address.
  private var kept: [(object: Object, symbol: Symbol)?] = []

  /// Returns an object's symbol, from the cache if possible.
  mutating func symbol(of object: Object, _ ask: (Object) -> Symbol) -> Symbol {
    if kept.isEmpty { kept = Array(repeating: nil, count: Self.capacity) }
    let address = UInt(bitPattern: ObjectIdentifier(object))
    let home = Int(truncatingIfNeeded: address >> 4 ^ address >> 9) % Self.capacity
    var index = home
    // Linear probing over four entries keeps two objects from evicting each other.
    for step in 0..<4 {
      index = (home + step) % Self.capacity
      guard let known = kept[index] else { break }
      if known.object === object { return known.symbol }
    }
    let symbol = ask(object)
    kept[index] = (object, symbol)
    return symbol
  }
}
