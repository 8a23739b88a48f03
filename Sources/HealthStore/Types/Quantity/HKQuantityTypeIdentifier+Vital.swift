// Quantity type identifiers for vital signs and reproductive health:
// the constants, then what is known of each type.

extension HKQuantityTypeIdentifier {
  /// The glucose in the blood; a mass per volume, averaged.
  public static let bloodGlucose = Self(rawValue: "HKQuantityTypeIdentifierBloodGlucose")

  /// The body temperature; a temperature, averaged.
  public static let bodyTemperature = Self(rawValue: "HKQuantityTypeIdentifierBodyTemperature")

  /// The body temperature at rest; a temperature, averaged.
  public static let basalBodyTemperature =
    Self(rawValue: "HKQuantityTypeIdentifierBasalBodyTemperature")
}

extension QuantityTypeRow {
  /// The types for vital signs and reproductive health, in the order of their names.
  static let vital: [QuantityTypeRow] = [
    QuantityTypeRow(.bloodGlucose, "mg/dL", .discreteArithmetic),
    QuantityTypeRow(.bodyTemperature, "degC", .discreteArithmetic),
    QuantityTypeRow(.basalBodyTemperature, "degC", .discreteArithmetic),
  ]
}
