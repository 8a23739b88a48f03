// Units of mass and amount of substance.

extension HKUnit {
  /// Returns the gram.
  public static func gram() -> HKUnit { gramUnit }

  /// Returns the gram with a metric prefix.
  public static func gramUnit(with prefix: HKMetricPrefix) -> HKUnit {
    prefixed("g", prefix)
  }

  /// Returns the ounce of 28.349523125 grams.
  public static func ounce() -> HKUnit { ounceUnit }

  /// Returns the pound of 453.59237 grams.
  public static func pound() -> HKUnit { poundUnit }

  /// Returns the stone of 6,350.29318 grams.
  public static func stone() -> HKUnit { stoneUnit }

  /// Returns the mole of a substance with a known molar mass, which is convertible to grams.
  ///
  /// - Precondition: The molar mass, in grams per mole, is finite and greater than zero.
  public static func moleUnit(withMolarMass gramsPerMole: Double) -> HKUnit {
    moleUnit(with: .none, molarMass: gramsPerMole)
  }

  /// Returns the mole of a substance with a metric prefix and a known molar mass, which is
  /// convertible to grams.
  ///
  /// - Precondition: The molar mass, in grams per mole, is finite and greater than zero.
  public static func moleUnit(
    with prefix: HKMetricPrefix, molarMass gramsPerMole: Double
  ) -> HKUnit {
    HKUnit(from: "\(prefix.spelling.symbol)mol<\(gramsPerMole)>")
  }
}

extension HKUnit {
  private static let gramUnit = HKUnit(from: "g")
  private static let ounceUnit = HKUnit(from: "oz")
  private static let poundUnit = HKUnit(from: "lb")
  private static let stoneUnit = HKUnit(from: "st")
}

extension HKUnit {
  static func prefixed(_ symbol: String, _ prefix: HKMetricPrefix) -> HKUnit {
    HKUnit(from: prefix.spelling.symbol + symbol)
  }
}

/// The molar mass of blood glucose, in grams per mole.
public let HKUnitMolarMassBloodGlucose: Double = 180.15588000005408
