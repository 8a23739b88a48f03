// Units of length and angle.

extension HKUnit {
  /// Returns the metre.
  public static func meter() -> HKUnit { meterUnit }

  /// Returns the metre with a metric prefix.
  public static func meterUnit(with prefix: HKMetricPrefix) -> HKUnit {
    prefixed("m", prefix)
  }

  /// Returns the inch of 0.0254 metres.
  public static func inch() -> HKUnit { inchUnit }

  /// Returns the foot of 0.3048 metres.
  public static func foot() -> HKUnit { footUnit }

  /// Returns the yard of 0.9144 metres.
  public static func yard() -> HKUnit { yardUnit }

  /// Returns the mile of 1,609.34 metres.
  public static func mile() -> HKUnit { mileUnit }

  /// Returns the radian.
  public static func radianAngle() -> HKUnit { radianAngleUnit }

  /// Returns the radian with a metric prefix.
  public static func radianAngleUnit(with prefix: HKMetricPrefix) -> HKUnit {
    prefixed("rad", prefix)
  }

  /// Returns the degree of an angle.
  public static func degreeAngle() -> HKUnit { degreeAngleUnit }
}

extension HKUnit {
  private static let meterUnit = HKUnit(from: "m")
  private static let inchUnit = HKUnit(from: "in")
  private static let footUnit = HKUnit(from: "ft")
  private static let yardUnit = HKUnit(from: "yd")
  private static let mileUnit = HKUnit(from: "mi")
  private static let radianAngleUnit = HKUnit(from: "rad")
  private static let degreeAngleUnit = HKUnit(from: "deg")
}
