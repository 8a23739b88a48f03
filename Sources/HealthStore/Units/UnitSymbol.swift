import Foundation

/// A symbol of a unit string, such as `mL` or `min`, and its meaning.
struct UnitSymbol: Sendable {
  /// The scale of a symbol, which determines its zero.
  enum Scale: Sendable {
    case linear
    case celsius
    case fahrenheit
    /// Decibels above 20 micropascal.
    case soundPressureLevel
  }

  /// The canonical spelling.
  let string: String

  /// The sort position in a unit string, in ascending order.
  let place: Int

  let dimension: UnitDimension

  /// The symbol in base units is `factor` / `divisor` × 10^`exponent`.
  let factor: Double
  let divisor: Double
  let exponent: Int
  var scale = Scale.linear

  init(
    _ string: String, _ place: Int, _ dimension: UnitDimension, _ factor: Double = 1,
    dividedBy divisor: Double = 1, exponent: Int = 0, scale: Scale = .linear
  ) {
    self.string = string
    self.place = place
    self.dimension = dimension
    self.factor = factor
    self.divisor = divisor
    self.exponent = exponent
    self.scale = scale
  }

  func prefixed(_ prefix: HKMetricPrefix) -> UnitSymbol {
    let (symbol, power) = prefix.spelling
    return UnitSymbol(
      symbol + string, place, dimension, factor, dividedBy: divisor, exponent: exponent + power,
      scale: scale)
  }

  /// Returns the mole of a substance in grams, or nil if the molar mass is not positive and finite.
  ///
  /// The mass is rounded to the 16 printed digits, so that equal strings represent equal units.
  static func mole(molarMass: Double, prefix: HKMetricPrefix = .none) -> UnitSymbol? {
    let printed = String(format: "%.16g", molarMass)
    guard let rounded = Double(printed), rounded.isFinite, rounded > 0 else { return nil }
    return UnitSymbol("mol<\(printed)>", 5, .mass, rounded).prefixed(prefix)
  }
}

extension UnitSymbol {
  /// The symbols that accept prefixes, except moles with a molar mass.
  static let prefixable: [UnitSymbol] = [
    UnitSymbol("J", 2, .energy, exponent: 3),
    UnitSymbol("W", 3, .power, exponent: 3),
    UnitSymbol("Pa", 4, .pressure, exponent: 3),
    UnitSymbol("V", 4, .voltage, exponent: 3),
    UnitSymbol("S", 4, .conductance, exponent: -3),
    UnitSymbol("lx", 4, .illuminance),
    UnitSymbol("mol", 5, .amount),
    UnitSymbol("L", 6, .volume, exponent: -3),
    UnitSymbol("m", 7, .length),
    UnitSymbol("s", 8, .time),
    UnitSymbol("Hz", 8, .frequency),
    UnitSymbol("K", 9, .temperature),
    UnitSymbol("rad", 9, .angle),
    UnitSymbol("g", 10, .mass),
  ]

  /// The symbols that accept no prefix.
  ///
  /// The factors are exact, as in Apple's implementation; the comments in Apple's headers are
  /// rounded.
  static let fixed: [UnitSymbol] = [
    UnitSymbol("count", 0, .none),
    UnitSymbol("%", 0, .none),
    UnitSymbol("IU", 1, .internationalUnits),
    UnitSymbol("appleEffortScore", 1, .effort),
    UnitSymbol("cal", 2, .energy, 4.184, exponent: 3),
    UnitSymbol("kcal", 2, .energy, 4.184, exponent: 6),
    UnitSymbol("Cal", 2, .energy, 4.184, exponent: 6),
    UnitSymbol("mmHg", 4, .pressure, 133.322387415, exponent: 3),
    UnitSymbol("cmAq", 4, .pressure, 98.0665, exponent: 3),
    UnitSymbol("atm", 4, .pressure, 101325, exponent: 3),
    UnitSymbol("inHg", 4, .pressure, 3386.38816, exponent: 3),
    UnitSymbol("dBASPL", 4, .pressure, exponent: 3, scale: .soundPressureLevel),
    UnitSymbol("dBHL", 4, .hearingLevel),
    UnitSymbol("D", 4, .refraction),
    UnitSymbol("pD", 4, .prismRefraction),
    UnitSymbol("fl_oz_us", 6, .volume, 0.0295735295625, exponent: -3),
    UnitSymbol("fl_oz_imp", 6, .volume, 0.0284130625, exponent: -3),
    UnitSymbol("pt_us", 6, .volume, 0.473176473, exponent: -3),
    UnitSymbol("pt_imp", 6, .volume, 0.56826125, exponent: -3),
    UnitSymbol("cup_us", 6, .volume, 0.2365882365, exponent: -3),
    UnitSymbol("cup_imp", 6, .volume, 0.284130625, exponent: -3),
    UnitSymbol("in", 7, .length, 0.0254),
    UnitSymbol("ft", 7, .length, 0.3048),
    UnitSymbol("yd", 7, .length, 0.9144),
    UnitSymbol("mi", 7, .length, 1609.344),
    UnitSymbol("min", 8, .time, 60),
    UnitSymbol("hr", 8, .time, 3600),
    UnitSymbol("d", 8, .time, 86400),
    UnitSymbol("degC", 9, .temperature, scale: .celsius),
    UnitSymbol("degF", 9, .temperature, 5, dividedBy: 9, scale: .fahrenheit),
    UnitSymbol("deg", 9, .angle, Double.pi / 180),
    UnitSymbol("oz", 10, .mass, 28.349523125),
    UnitSymbol("lb", 10, .mass, 453.59237),
    UnitSymbol("st", 10, .mass, 6350.29318),
  ]

  /// All symbols by spelling, except moles with a molar mass.
  static let bySpelling: [String: UnitSymbol] = {
    var table: [String: UnitSymbol] = [:]
    for symbol in fixed { table[symbol.string] = symbol }
    for symbol in prefixable {
      for prefix in HKMetricPrefix.every {
        let prefixed = symbol.prefixed(prefix)
        table[prefixed.string] = prefixed
        if symbol.string == "L" { table[prefix.spelling.symbol + "l"] = prefixed }
      }
    }
    return table
  }()

  /// The prefixes that may precede `mol<`.
  static let prefixes: [String: HKMetricPrefix] = {
    var table: [String: HKMetricPrefix] = [:]
    for prefix in HKMetricPrefix.every { table[prefix.spelling.symbol] = prefix }
    return table
  }()
}
