// Quantity type identifiers for body measurements, followed by the table of their properties.

extension HKQuantityTypeIdentifier {
  /// The wrist temperature while asleep; a temperature, averaged.
  public static let appleSleepingWristTemperature =
    Self(rawValue: "HKQuantityTypeIdentifierAppleSleepingWristTemperature")

  /// The share of the body that is fat; a percentage, averaged.
  public static let bodyFatPercentage = Self(rawValue: "HKQuantityTypeIdentifierBodyFatPercentage")

  /// The body's mass; a mass, averaged.
  public static let bodyMass = Self(rawValue: "HKQuantityTypeIdentifierBodyMass")

  /// The body mass index; a number, averaged.
  public static let bodyMassIndex = Self(rawValue: "HKQuantityTypeIdentifierBodyMassIndex")

  /// The skin's electrical conductance; a conductance, averaged.
  public static let electrodermalActivity =
    Self(rawValue: "HKQuantityTypeIdentifierElectrodermalActivity")

  /// The body's height; a length, averaged.
  public static let height = Self(rawValue: "HKQuantityTypeIdentifierHeight")

  /// The body's mass without fat; a mass, averaged.
  public static let leanBodyMass = Self(rawValue: "HKQuantityTypeIdentifierLeanBodyMass")

  /// The waist's circumference; a length, averaged.
  public static let waistCircumference =
    Self(rawValue: "HKQuantityTypeIdentifierWaistCircumference")
}

extension QuantityTypeRow {
  /// The table of types for body measurements, sorted by name.
  static let bodyMeasures: [QuantityTypeRow] = [
    QuantityTypeRow(.appleSleepingWristTemperature, "degC", .discreteArithmetic),
    QuantityTypeRow(.bodyFatPercentage, "%", .discreteArithmetic),
    QuantityTypeRow(.bodyMass, "kg", .discreteArithmetic),
    QuantityTypeRow(.bodyMassIndex, "count", .discreteArithmetic),
    QuantityTypeRow(.electrodermalActivity, "S", .discreteArithmetic),
    QuantityTypeRow(.height, "m", .discreteArithmetic),
    QuantityTypeRow(.leanBodyMass, "kg", .discreteArithmetic),
    QuantityTypeRow(.waistCircumference, "m", .discreteArithmetic),
  ]
}
