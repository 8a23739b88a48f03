/// A symbol of a unit and its power.
struct UnitFactor: Sendable {
  let symbol: UnitSymbol
  let power: Int
}

/// The meaning of a unit: its symbols in canonical order, its spelling, dimension and scale factor.
package final class UnitForm: Sendable {
  let factors: [UnitFactor]
  package let string: String
  let hash: Int
  package let dimension: UnitDimension

  /// The unit in base units is `factor` / `divisor` × 10^`exponent`.
  ///
  /// Stored separately, because powers of ten cancel exactly and fractions do not.
  let factor: Double
  let divisor: Double
  let exponent: Int
  let scale: UnitSymbol.Scale

  /// The maximum absolute power of a symbol.
  static let powerLimit = 99

  /// Creates a form: merges repeated symbols and sorts them into canonical order.
  init(_ parts: [UnitFactor]) throws(HKUnitError) {
    var powers: [String: Int] = [:]
    var symbols: [UnitSymbol] = []
    for part in parts {
      let sum = (powers[part.symbol.string] ?? 0) + part.power
      guard abs(sum) <= UnitForm.powerLimit else { throw .badPower("\(sum)") }
      if powers.updateValue(sum, forKey: part.symbol.string) == nil { symbols.append(part.symbol) }
    }
    factors = symbols.sorted { ($0.place, $0.string) < ($1.place, $1.string) }
      .map { UnitFactor(symbol: $0, power: powers[$0.string] ?? 0) }
      .filter { $0.power != 0 }
    string = UnitForm.spell(factors)
    hash = string.hashValue
    let isBare = factors.count == 1 && factors[0].power == 1
    scale = isBare ? factors[0].symbol.scale : .linear
    var dimension = UnitDimension.none
    var (factor, divisor, exponent) = (1.0, 1.0, 0)
    for part in factors {
      let symbol = part.symbol
      if symbol.scale == .soundPressureLevel, !isBare {
        dimension = dimension + UnitDimension.soundLevel.raised(to: Int32(part.power))
        continue
      }
      dimension = dimension + symbol.dimension.raised(to: Int32(part.power))
      exponent += symbol.exponent * part.power
      for _ in 0..<abs(part.power) {
        factor *= part.power > 0 ? symbol.factor : symbol.divisor
        divisor *= part.power > 0 ? symbol.divisor : symbol.factor
      }
    }
    self.dimension = dimension
    self.factor = factor
    self.divisor = divisor
    self.exponent = exponent
  }

  /// Returns whether both forms have the same spelling.
  package func isSame(as other: UnitForm) -> Bool {
    self === other || (hash == other.hash && string == other.string)
  }

  /// Returns whether quantities can be converted between the units.
  package func isCompatible(with other: UnitForm) -> Bool {
    self === other || dimension == other.dimension
  }

  private static func spell(_ factors: [UnitFactor]) -> String {
    func spell(_ factor: UnitFactor, _ sign: Int) -> String {
      let power = factor.power * sign
      return power == 1 ? factor.symbol.string : "\(factor.symbol.string)^\(power)"
    }
    if factors.isEmpty { return "()" }
    let above = factors.filter { $0.power > 0 }
    let below = factors.filter { $0.power < 0 }
    let numerator = above.isEmpty ? "1" : above.map { spell($0, 1) }.joined(separator: "·")
    if below.isEmpty { return numerator }
    return numerator + "/" + below.map { spell($0, -1) }.joined(separator: "·")
  }
}
