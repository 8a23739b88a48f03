// Units of volume.

extension HKUnit {
  /// Returns the litre.
  public static func liter() -> HKUnit { literUnit }

  /// Returns the litre with a metric prefix.
  public static func literUnit(with prefix: HKMetricPrefix) -> HKUnit {
    prefixed("L", prefix)
  }

  /// Returns the US fluid ounce of 0.0295735295625 litres.
  public static func fluidOunceUS() -> HKUnit { fluidOunceUSUnit }

  /// Returns the imperial fluid ounce of 0.0284130625 litres.
  public static func fluidOunceImperial() -> HKUnit { fluidOunceImperialUnit }

  /// Returns the US pint of 0.473176473 litres.
  public static func pintUS() -> HKUnit { pintUSUnit }

  /// Returns the imperial pint of 0.56826125 litres.
  public static func pintImperial() -> HKUnit { pintImperialUnit }

  /// Returns the US cup of 0.2365882365 litres.
  public static func cupUS() -> HKUnit { cupUSUnit }

  /// Returns the imperial cup of 0.284130625 litres.
  public static func cupImperial() -> HKUnit { cupImperialUnit }
}

extension HKUnit {
  private static let literUnit = HKUnit(from: "L")
  private static let fluidOunceUSUnit = HKUnit(from: "fl_oz_us")
  private static let fluidOunceImperialUnit = HKUnit(from: "fl_oz_imp")
  private static let pintUSUnit = HKUnit(from: "pt_us")
  private static let pintImperialUnit = HKUnit(from: "pt_imp")
  private static let cupUSUnit = HKUnit(from: "cup_us")
  private static let cupImperialUnit = HKUnit(from: "cup_imp")
}
