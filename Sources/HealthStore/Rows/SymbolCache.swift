import SampleLog

/// A cache of values by symbol, such as decoded objects or predicate results.
///
/// Each value is computed once. A look-up is an array access under a lock that is held only for the
/// access.
final class SymbolCache<Value: Sendable, Failure: Error>: Sendable {
  private let make: @Sendable (Symbol) throws(Failure) -> Value
  private let values = Locked<[Value?]>([])

  init(_ make: @escaping @Sendable (Symbol) throws(Failure) -> Value) { self.make = make }

  func callAsFunction(_ symbol: Symbol) throws(Failure) -> Value {
    let index = Int(symbol)
    if let known = values.withLock({ index < $0.count ? $0[index] : nil }) { return known }
    let value = try make(symbol)
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
