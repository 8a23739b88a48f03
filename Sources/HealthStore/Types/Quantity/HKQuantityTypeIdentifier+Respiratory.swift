// Quantity type identifiers for breathing, followed by the table of their properties.

extension HKQuantityTypeIdentifier {
  /// The disturbances of breathing while asleep; a number, averaged.
  public static let appleSleepingBreathingDisturbances =
    Self(rawValue: "HKQuantityTypeIdentifierAppleSleepingBreathingDisturbances")

  /// The volume exhaled in one second; a volume, averaged.
  public static let forcedExpiratoryVolume1 =
    Self(rawValue: "HKQuantityTypeIdentifierForcedExpiratoryVolume1")

  /// The volume that can be exhaled; a volume, averaged.
  public static let forcedVitalCapacity =
    Self(rawValue: "HKQuantityTypeIdentifierForcedVitalCapacity")

  /// The puffs of an inhaler; a number, summed.
  public static let inhalerUsage = Self(rawValue: "HKQuantityTypeIdentifierInhalerUsage")

  /// The oxygen saturation of the blood; a percentage, averaged.
  public static let oxygenSaturation = Self(rawValue: "HKQuantityTypeIdentifierOxygenSaturation")

  /// The greatest flow when exhaling; a flow, averaged.
  public static let peakExpiratoryFlowRate =
    Self(rawValue: "HKQuantityTypeIdentifierPeakExpiratoryFlowRate")

  /// The breaths taken; a rate, averaged.
  public static let respiratoryRate = Self(rawValue: "HKQuantityTypeIdentifierRespiratoryRate")
}

extension QuantityTypeRow {
  /// The table of types for breathing, sorted by name.
  static let respiratory: [QuantityTypeRow] = [
    QuantityTypeRow(.appleSleepingBreathingDisturbances, "count", .discreteArithmetic),
    QuantityTypeRow(.forcedExpiratoryVolume1, "L", .discreteArithmetic),
    QuantityTypeRow(.forcedVitalCapacity, "L", .discreteArithmetic),
    QuantityTypeRow(.inhalerUsage, "count", .cumulative),
    QuantityTypeRow(.oxygenSaturation, "%", .discreteArithmetic),
    QuantityTypeRow(.peakExpiratoryFlowRate, "L/min", .discreteArithmetic),
    QuantityTypeRow(.respiratoryRate, "count/s", .discreteArithmetic),
  ]
}
