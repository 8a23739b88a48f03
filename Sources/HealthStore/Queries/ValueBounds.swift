import SampleLog

extension Bounds {
  /// The numbers whose conversion stands to one as a relation says, exactly as if each were
  /// converted; `nil` when they are no range.
  ///
  /// Conversions rise, so the ends can be searched for among all numbers there are.
  init?(_ relation: Relation, _ number: Double, after conversion: UnitConversion) {
    guard !conversion.isIdentity else {
      self.init(relation, number)
      return
    }
    guard !number.isNaN else {
      self.init(lower: .infinity, upper: -.infinity)
      return
    }
    // Where the conversion has no result, which is below 0 for logarithms, nothing matches.
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

  /// The least number from `lower` on for which a condition holds that, once true, stays true.
  private static func first(from lower: Double, _ isReached: (Double) -> Bool) -> Double {
    var low = order(lower)
    var high = order(.infinity)
    while low < high {
      // Rounded down, and without a sum or difference that could overflow.
      let middle = (low & high) + ((low ^ high) >> 1)
      if isReached(number(middle)) { high = middle } else { low = middle + 1 }
    }
    return number(low)
  }

  /// The position of a number among all numbers.
  private static func order(_ number: Double) -> Int {
    let bits = Int(truncatingIfNeeded: Int64(bitPattern: number.bitPattern))
    return bits >= 0 ? bits : Int.min - bits
  }

  private static func number(_ order: Int) -> Double {
    let bits = order >= 0 ? order : Int.min - order
    return Double(bitPattern: UInt64(bitPattern: Int64(bits)))
  }
}
