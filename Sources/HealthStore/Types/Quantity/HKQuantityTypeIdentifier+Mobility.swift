// Quantity type identifiers for mobility, followed by the table of their properties.

extension HKQuantityTypeIdentifier {
  /// The steadiness of gait; a percentage, averaged.
  public static let appleWalkingSteadiness =
    Self(rawValue: "HKQuantityTypeIdentifierAppleWalkingSteadiness")

  /// The time a foot is on the ground while running; a duration, averaged.
  public static let runningGroundContactTime =
    Self(rawValue: "HKQuantityTypeIdentifierRunningGroundContactTime")

  /// The stride while running; a length, averaged.
  public static let runningStrideLength =
    Self(rawValue: "HKQuantityTypeIdentifierRunningStrideLength")

  /// The vertical movement while running; a length, averaged.
  public static let runningVerticalOscillation =
    Self(rawValue: "HKQuantityTypeIdentifierRunningVerticalOscillation")

  /// The distance of a six-minute walk test; a length, averaged.
  public static let sixMinuteWalkTestDistance =
    Self(rawValue: "HKQuantityTypeIdentifierSixMinuteWalkTestDistance")

  /// The speed up stairs; a speed, averaged.
  public static let stairAscentSpeed = Self(rawValue: "HKQuantityTypeIdentifierStairAscentSpeed")

  /// The speed down stairs; a speed, averaged.
  public static let stairDescentSpeed = Self(rawValue: "HKQuantityTypeIdentifierStairDescentSpeed")

  /// The share of steps that are asymmetric; a percentage, averaged.
  public static let walkingAsymmetryPercentage =
    Self(rawValue: "HKQuantityTypeIdentifierWalkingAsymmetryPercentage")

  /// The share of time with both feet on the ground; a percentage, averaged.
  public static let walkingDoubleSupportPercentage =
    Self(rawValue: "HKQuantityTypeIdentifierWalkingDoubleSupportPercentage")

  /// The speed while walking; a speed, averaged.
  public static let walkingSpeed = Self(rawValue: "HKQuantityTypeIdentifierWalkingSpeed")

  /// The step while walking; a length, averaged.
  public static let walkingStepLength = Self(rawValue: "HKQuantityTypeIdentifierWalkingStepLength")
}

extension QuantityTypeRow {
  /// The table of types for mobility, sorted by name.
  static let mobility: [QuantityTypeRow] = [
    QuantityTypeRow(.appleWalkingSteadiness, "%", .discreteArithmetic),
    QuantityTypeRow(.runningGroundContactTime, "ms", .discreteArithmetic),
    QuantityTypeRow(.runningStrideLength, "m", .discreteArithmetic),
    QuantityTypeRow(.runningVerticalOscillation, "cm", .discreteArithmetic),
    QuantityTypeRow(.sixMinuteWalkTestDistance, "m", .discreteArithmetic),
    QuantityTypeRow(.stairAscentSpeed, "m/s", .discreteArithmetic),
    QuantityTypeRow(.stairDescentSpeed, "m/s", .discreteArithmetic),
    QuantityTypeRow(.walkingAsymmetryPercentage, "%", .discreteArithmetic),
    QuantityTypeRow(.walkingDoubleSupportPercentage, "%", .discreteArithmetic),
    QuantityTypeRow(.walkingSpeed, "m/s", .discreteArithmetic),
    QuantityTypeRow(.walkingStepLength, "m", .discreteArithmetic),
  ]
}
