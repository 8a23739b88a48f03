// Units of numbers, scores and light.

extension HKUnit {
  /// Returns the count, a plain number.
  public static func count() -> HKUnit { countUnit }

  /// Returns the percent, which is equivalent to ``count()``: fractions in this unit are numbers
  /// from 0 to 1.
  public static func percent() -> HKUnit { percentUnit }

  /// Returns the international unit of a substance.
  public static func internationalUnit() -> HKUnit { internationalUnitUnit }

  /// Returns the effort score of a workout, from 1 to 10.
  public static func appleEffortScore() -> HKUnit { appleEffortScoreUnit }

  /// Returns the dioptre of a lens.
  public static func diopter() -> HKUnit { diopterUnit }

  /// Returns the prism dioptre of a lens.
  public static func prismDiopter() -> HKUnit { prismDiopterUnit }

  /// Returns the lux.
  public static func lux() -> HKUnit { luxUnit }

  /// Returns the lux with a metric prefix.
  public static func luxUnit(with prefix: HKMetricPrefix) -> HKUnit {
    prefixed("lx", prefix)
  }
}

extension HKUnit {
  private static let countUnit = HKUnit(from: "count")
  private static let percentUnit = HKUnit(from: "%")
  private static let internationalUnitUnit = HKUnit(from: "IU")
  private static let appleEffortScoreUnit = HKUnit(from: "appleEffortScore")
  private static let diopterUnit = HKUnit(from: "D")
  private static let prismDiopterUnit = HKUnit(from: "pD")
  private static let luxUnit = HKUnit(from: "lx")
}
