// Units of numbers, scores and light.

extension HKUnit {
  /// The count, a plain number.
  public static func count() -> HKUnit { countUnit }

  /// The percent, which is equivalent to ``count()``: fractions in this unit are numbers from 0 to
  /// 1.
  public static func percent() -> HKUnit { percentUnit }

  /// The international unit of a substance.
  public static func internationalUnit() -> HKUnit { internationalUnitUnit }

  /// The effort score of a workout, from 1 to 10.
  public static func appleEffortScore() -> HKUnit { appleEffortScoreUnit }

  /// The dioptre of a lens.
  public static func diopter() -> HKUnit { diopterUnit }

  /// The prism dioptre of a lens.
  public static func prismDiopter() -> HKUnit { prismDiopterUnit }

  /// The lux.
  public static func lux() -> HKUnit { luxUnit }

  /// The lux with a metric prefix.
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
