// Quantity type identifiers for vital signs and reproductive health, followed by the table of their
// properties.

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
  /// The table of types for vital signs and reproductive health, sorted by name.
  static let vital: [QuantityTypeRow] = [
    QuantityTypeRow(.bloodGlucose, "mg/dL", .discreteArithmetic),
    QuantityTypeRow(.bodyTemperature, "degC", .discreteArithmetic),
    QuantityTypeRow(.basalBodyTemperature, "degC", .discreteArithmetic),
  ]
}
