// Quantity type identifiers for everything else, followed by the table of their properties.

extension HKQuantityTypeIdentifier {
  /// The alcohol in the blood; a percentage, averaged.
  public static let bloodAlcoholContent =
    Self(rawValue: "HKQuantityTypeIdentifierBloodAlcoholContent")

  /// The diastolic blood pressure; a pressure, averaged.
  public static let bloodPressureDiastolic =
    Self(rawValue: "HKQuantityTypeIdentifierBloodPressureDiastolic")

  /// The systolic blood pressure; a pressure, averaged.
  public static let bloodPressureSystolic =
    Self(rawValue: "HKQuantityTypeIdentifierBloodPressureSystolic")

  /// The insulin delivered; an amount in international units, summed.
  public static let insulinDelivery = Self(rawValue: "HKQuantityTypeIdentifierInsulinDelivery")

  /// The alcoholic drinks taken; a number, summed.
  public static let numberOfAlcoholicBeverages =
    Self(rawValue: "HKQuantityTypeIdentifierNumberOfAlcoholicBeverages")

  /// The falls; a number, summed.
  public static let numberOfTimesFallen =
    Self(rawValue: "HKQuantityTypeIdentifierNumberOfTimesFallen")

  /// The time in daylight; a duration, summed.
  public static let timeInDaylight = Self(rawValue: "HKQuantityTypeIdentifierTimeInDaylight")

  /// The exposure to ultraviolet light; a number, averaged.
  public static let uvExposure = Self(rawValue: "HKQuantityTypeIdentifierUVExposure")

  /// The temperature of the water; a temperature, averaged.
  public static let waterTemperature = Self(rawValue: "HKQuantityTypeIdentifierWaterTemperature")
}

extension QuantityTypeRow {
  /// The table of types for everything else, sorted by name.
  static let other: [QuantityTypeRow] = [
    QuantityTypeRow(.bloodAlcoholContent, "%", .discreteArithmetic),
    QuantityTypeRow(.bloodPressureDiastolic, "mmHg", .discreteArithmetic),
    QuantityTypeRow(.bloodPressureSystolic, "mmHg", .discreteArithmetic),
    QuantityTypeRow(.insulinDelivery, "IU", .cumulative),
    QuantityTypeRow(.numberOfAlcoholicBeverages, "count", .cumulative),
    QuantityTypeRow(.numberOfTimesFallen, "count", .cumulative),
    QuantityTypeRow(.timeInDaylight, "min", .cumulative),
    QuantityTypeRow(.uvExposure, "count", .discreteArithmetic),
    QuantityTypeRow(.waterTemperature, "degC", .discreteArithmetic),
  ]
}
