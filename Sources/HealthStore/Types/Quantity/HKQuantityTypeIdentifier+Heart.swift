// Quantity type identifiers for the heart, followed by the table of their properties.

extension HKQuantityTypeIdentifier {
  /// The share of time in atrial fibrillation; a percentage, averaged over time.
  public static let atrialFibrillationBurden =
    Self(rawValue: "HKQuantityTypeIdentifierAtrialFibrillationBurden")

  /// The heart rate; a rate, averaged over time.
  public static let heartRate = Self(rawValue: "HKQuantityTypeIdentifierHeartRate")

  /// The drop in heart rate one minute after exercise; a rate, averaged.
  public static let heartRateRecoveryOneMinute =
    Self(rawValue: "HKQuantityTypeIdentifierHeartRateRecoveryOneMinute")

  /// The heart rate variability as the deviation of beat intervals; a duration, averaged.
  public static let heartRateVariabilitySDNN =
    Self(rawValue: "HKQuantityTypeIdentifierHeartRateVariabilitySDNN")

  /// The peripheral perfusion index; a percentage, averaged.
  public static let peripheralPerfusionIndex =
    Self(rawValue: "HKQuantityTypeIdentifierPeripheralPerfusionIndex")

  /// The heart rate at rest; a rate, averaged.
  public static let restingHeartRate = Self(rawValue: "HKQuantityTypeIdentifierRestingHeartRate")

  /// The greatest oxygen consumption; a volume per mass and time, averaged.
  public static let vo2Max = Self(rawValue: "HKQuantityTypeIdentifierVO2Max")

  /// The heart rate while walking; a rate, averaged.
  public static let walkingHeartRateAverage =
    Self(rawValue: "HKQuantityTypeIdentifierWalkingHeartRateAverage")

  /// The heart rate variability as the differences of successive intervals; a duration, averaged.
  public static let heartRateVariabilityRMSSD =
    Self(rawValue: "HKQuantityTypeIdentifierHeartRateVariabilityRMSSD")
}

extension QuantityTypeRow {
  /// The table of types for the heart, sorted by name.
  static let heart: [QuantityTypeRow] = [
    QuantityTypeRow(.atrialFibrillationBurden, "%", .discreteTemporallyWeighted),
    QuantityTypeRow(.heartRate, "count/s", .discreteTemporallyWeighted),
    QuantityTypeRow(.heartRateRecoveryOneMinute, "count/min", .discreteArithmetic),
    QuantityTypeRow(.heartRateVariabilitySDNN, "ms", .discreteArithmetic),
    QuantityTypeRow(.peripheralPerfusionIndex, "%", .discreteArithmetic),
    QuantityTypeRow(.restingHeartRate, "count/min", .discreteArithmetic),
    QuantityTypeRow(.vo2Max, "ml/(kg*min)", .discreteArithmetic),
    QuantityTypeRow(.walkingHeartRateAverage, "count/min", .discreteArithmetic),
    QuantityTypeRow(.heartRateVariabilityRMSSD, "ms", .discreteArithmetic),
  ]
}
