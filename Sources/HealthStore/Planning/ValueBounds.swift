import SampleLog

extension Bounds {
  /// Creates the range of numbers whose conversion satisfies a relation to a number, with the exact
  /// result of converting each; returns nil if they are not a range.
  ///
  /// Conversions are monotonic, so the bounds are found by binary search over all floating-point
  /// numbers.
  init?(_ relation: Relation, _ number: Double, after conversion: UnitConversion) {
    guard !conversion.isIdentity else {
      self.init(relation, number)
      return
    }
    guard !number.isNaN else {
      self.init(lower: .infinity, upper: -.infinity)
      return
    }
    // Below 0, logarithmic conversions have no result, so nothing matches.
    let floor = conversion(-1).isNaN ? 0 : -Double.infinity
    func first(_ isReached: (Double) -> Bool) -> Double { Self.first(from: floor, isReached) }
    switch relation {
    case .greaterOrEqual: self = .from(first { conversion($0) >= number })
    case .greater: self = .from(first { conversion($0) > number })
    case .less: self.init(lower: floor, upper: first { conversion($0) >= number }.nextDown)
    case .lessOrEqual: self.init(lower: floor, upper: first { conversion($0) > number }.nextDown)
    case .equal:
      self.init(
        lower: first { conversion($0) >= number },
        upper: first { conversion($0) > number }.nextDown)
    case .notEqual: return nil
    }
  }

  /// Returns the least number, starting at `lower`, that satisfies a monotonic condition.
  private static func first(from lower: Double, _ isReached: (Double) -> Bool) -> Double {
    var low = order(lower)
    var high = order(.infinity)
    while low < high {
      // The average rounded down, computed without overflow.
      let middle = (low & high) + ((low ^ high) >> 1)
      if isReached(number(middle)) { high = middle } else { low = middle + 1 }
    }
    return number(low)
  }

  /// Returns the rank of a number in the order of all floating-point numbers.
  private static func order(_ number: Double) -> Int {
    let bits = Int(truncatingIfNeeded: Int64(bitPattern: number.bitPattern))
    return bits >= 0 ? bits : Int.min - bits
  }

  private static func number(_ order: Int) -> Double {
    let bits = order >= 0 ? order : Int.min - order
    return Double(bitPattern: UInt64(bitPattern: Int64(bits)))
  }
}
