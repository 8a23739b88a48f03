import SampleLog

/// The symbols of the objects that were asked about last, found by reference.
struct SymbolsOfObjects<Object: AnyObject> {
  private static var capacity: Int { 32 }
  // An object stays alive while it is here, so that nobody else gets its address.
  private var kept: [(object: Object, symbol: Symbol)?] = []

  /// Returns an object's symbol, asking for it unless it is known.
  mutating func symbol(of object: Object, _ ask: (Object) -> Symbol) -> Symbol {
    if kept.isEmpty { kept = Array(repeating: nil, count: Self.capacity) }
    let address = UInt(bitPattern: ObjectIdentifier(object))
    let home = Int(truncatingIfNeeded: address >> 4 ^ address >> 9) % Self.capacity
    var index = home
    // Neighbours' entries are tried as well, so that two objects do not drive out each other.
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
