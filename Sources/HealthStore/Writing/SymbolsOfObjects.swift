import SampleLog

/// A small cache of the symbols of recently used objects, keyed by reference.
struct SymbolsOfObjects<Object: AnyObject> {
  private typealias Known = (object: Object, symbol: Symbol)

  private static var capacity: Int { 32 }
  // The cache retains its objects, so that no other object can get the same address. The first one
  // is stored inline: most commits have one sample, and a table costs as much as all their rows.
  private var first: Known?
  private var others: [Known?] = []

  /// Returns an object's symbol, from the cache if possible.
  mutating func symbol(of object: Object, _ ask: (Object) -> Symbol) -> Symbol {
    guard let first else {
      let symbol = ask(object)
      self.first = (object, symbol)
      return symbol
    }
    return first.object === object ? first.symbol : symbol(ofOther: object, ask)
  }

  private mutating func symbol(ofOther object: Object, _ ask: (Object) -> Symbol) -> Symbol {
    if others.isEmpty { others = Array(repeating: nil, count: Self.capacity) }
    let address = UInt(bitPattern: ObjectIdentifier(object))
    let home = Int(truncatingIfNeeded: address >> 4 ^ address >> 9) % Self.capacity
    var index = home
    // Linear probing over four entries keeps two objects from evicting each other.
    for step in 0..<4 {
      index = (home + step) % Self.capacity
      guard let known = others[index] else { break }
      if known.object === object { return known.symbol }
    }
    let symbol = ask(object)
    others[index] = (object, symbol)
    return symbol
  }
}
