import SampleLog

/// A cache of value ranges by unit.
final class BoundsCache: Sendable {
  private let known = Locked<[Symbol: Bounds?]>([:])

  func bounds(_ unit: Symbol, _ make: () -> Bounds?) -> Bounds? {
    if let known = known.withLock({ $0[unit] }) { return known }
    let bounds = make()
    known.withLock { $0[unit] = .some(bounds) }
    return bounds
  }
}
