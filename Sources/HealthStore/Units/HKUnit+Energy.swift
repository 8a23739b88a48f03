// Units of energy, power and electricity.

extension HKUnit {
  /// The joule.
  public static func joule() -> HKUnit { jouleUnit }

  /// The joule with a metric prefix.
  public static func jouleUnit(with prefix: HKMetricPrefix) -> HKUnit {
    prefixed("J", prefix)
  }

  /// The kilocalorie of 4,184 joules.
  public static func kilocalorie() -> HKUnit { kilocalorieUnit }

  /// The small calorie of 4.184 joules.
  public static func smallCalorie() -> HKUnit { smallCalorieUnit }

  /// The large calorie of 4,184 joules, equal to the kilocalorie but spelt `Cal`.
  public static func largeCalorie() -> HKUnit { largeCalorieUnit }

  /// The old name of ``smallCalorie()``.
  public static func calorie() -> HKUnit { smallCalorieUnit }

  /// The watt.
  public static func watt() -> HKUnit { wattUnit }

  /// The watt with a metric prefix.
  public static func wattUnit(with prefix: HKMetricPrefix) -> HKUnit {
    prefixed("W", prefix)
  }

  /// The volt.
  public static func volt() -> HKUnit { voltUnit }

  /// The volt with a metric prefix.
  public static func voltUnit(with prefix: HKMetricPrefix) -> HKUnit {
    prefixed("V", prefix)
  }

  /// The siemens.
  public static func siemen() -> HKUnit { siemenUnit }

  /// The siemens with a metric prefix.
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
