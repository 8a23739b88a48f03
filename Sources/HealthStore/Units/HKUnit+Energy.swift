// Units of energy, power and electricity.

extension HKUnit {
  /// Returns the joule.
  public static func joule() -> HKUnit { jouleUnit }

  /// Returns the joule with a metric prefix.
  public static func jouleUnit(with prefix: HKMetricPrefix) -> HKUnit {
    prefixed("J", prefix)
  }

  /// Returns the kilocalorie of 4,184 joules.
  public static func kilocalorie() -> HKUnit { kilocalorieUnit }

  /// Returns the small calorie of 4.184 joules.
  public static func smallCalorie() -> HKUnit { smallCalorieUnit }

  /// Returns the large calorie of 4,184 joules, equal to the kilocalorie but spelt `Cal`.
  public static func largeCalorie() -> HKUnit { largeCalorieUnit }

  /// Returns the old name of ``smallCalorie()``.
  public static func calorie() -> HKUnit { smallCalorieUnit }

  /// Returns the watt.
  public static func watt() -> HKUnit { wattUnit }

  /// Returns the watt with a metric prefix.
  public static func wattUnit(with prefix: HKMetricPrefix) -> HKUnit {
    prefixed("W", prefix)
  }

  /// Returns the volt.
  public static func volt() -> HKUnit { voltUnit }

  /// Returns the volt with a metric prefix.
  public static func voltUnit(with prefix: HKMetricPrefix) -> HKUnit {
    prefixed("V", prefix)
  }

  /// Returns the siemens.
  public static func siemen() -> HKUnit { siemenUnit }

  /// Returns the siemens with a metric prefix.
  public static func siemenUnit(with prefix: HKMetricPrefix) -> HKUnit {
    prefixed("S", prefix)
  }
}

extension HKUnit {
  private static let jouleUnit = HKUnit(from: "J")
  private static let kilocalorieUnit = HKUnit(from: "kcal")
  private static let smallCalorieUnit = HKUnit(from: "cal")
  private static let largeCalorieUnit = HKUnit(from: "Cal")
  private static let wattUnit = HKUnit(from: "W")
  private static let voltUnit = HKUnit(from: "V")
  private static let siemenUnit = HKUnit(from: "S")
}
