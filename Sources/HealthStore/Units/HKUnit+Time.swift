// Units of time and temperature.

extension HKUnit {
  /// Returns the second.
  public static func second() -> HKUnit { secondUnit }

  /// Returns the second with a metric prefix.
  public static func secondUnit(with prefix: HKMetricPrefix) -> HKUnit {
    prefixed("s", prefix)
  }

  /// Returns the minute.
  public static func minute() -> HKUnit { minuteUnit }

  /// Returns the hour.
  public static func hour() -> HKUnit { hourUnit }

  /// Returns the day of 86,400 seconds.
  public static func day() -> HKUnit { dayUnit }

  /// Returns the hertz, one per second.
  public static func hertz() -> HKUnit { hertzUnit }

  /// Returns the hertz with a metric prefix.
  public static func hertzUnit(with prefix: HKMetricPrefix) -> HKUnit {
    prefixed("Hz", prefix)
  }

  /// Returns the degree Celsius.
  ///
  /// Its zero offset applies only if the unit is not part of a compound unit.
  public static func degreeCelsius() -> HKUnit { degreeCelsiusUnit }

  /// Returns the degree Fahrenheit.
  ///
  /// Its zero offset applies only if the unit is not part of a compound unit.
  public static func degreeFahrenheit() -> HKUnit { degreeFahrenheitUnit }

  /// Returns the kelvin.
  public static func kelvin() -> HKUnit { kelvinUnit }
}

extension HKUnit {
  private static let secondUnit = HKUnit(from: "s")
  private static let minuteUnit = HKUnit(from: "min")
  private static let hourUnit = HKUnit(from: "hr")
  private static let dayUnit = HKUnit(from: "d")
  private static let hertzUnit = HKUnit(from: "Hz")
  private static let degreeCelsiusUnit = HKUnit(from: "degC")
  private static let degreeFahrenheitUnit = HKUnit(from: "degF")
  private static let kelvinUnit = HKUnit(from: "K")
}
