import SampleLog

/// A cache of the objects that symbols stand for.
///
/// Each is decoded once.
///
/// A look-up is an array access under a lock that is held only for the access.
final class SymbolCache<Value: Sendable>: Sendable {
  private let symbols: SymbolTable
  private let make: @Sendable ([UInt8]) -> Value
  private let values = Locked<[Value?]>([])

  init(_ symbols: SymbolTable, make: @escaping @Sendable ([UInt8]) -> Value) {
    self.symbols = symbols
    self.make = make
  }

  subscript(symbol: Symbol) -> Value {
    let index = Int(symbol)
    if let known = values.withLock({ index < $0.count ? $0[index] : nil }) { return known }
    let value = make(symbols.name(symbol))
    return values.withLock { values in
      if index >= values.count {
        values.append(contentsOf: repeatElement(nil, count: index + 1 - values.count))
      }
      // The first value wins, so that equal symbols yield identical objects.
      if let known = values[index] { return known }
      values[index] = value
      return value
    }
  }
}
