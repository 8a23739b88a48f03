// Quantity type identifiers for fitness, followed by the table of their properties.

extension HKQuantityTypeIdentifier {
  /// The energy burned by activity; an energy, summed.
  public static let activeEnergyBurned =
    Self(rawValue: "HKQuantityTypeIdentifierActiveEnergyBurned")

  /// The time spent exercising; a duration, summed.
  public static let appleExerciseTime = Self(rawValue: "HKQuantityTypeIdentifierAppleExerciseTime")

  /// The time spent moving; a duration, summed.
  public static let appleMoveTime = Self(rawValue: "HKQuantityTypeIdentifierAppleMoveTime")

  /// The time spent standing; a duration, summed.
  public static let appleStandTime = Self(rawValue: "HKQuantityTypeIdentifierAppleStandTime")

  /// The energy burned at rest; an energy, summed.
  public static let basalEnergyBurned = Self(rawValue: "HKQuantityTypeIdentifierBasalEnergyBurned")

  /// The speed while cross-country skiing; a speed, averaged.
  public static let crossCountrySkiingSpeed =
    Self(rawValue: "HKQuantityTypeIdentifierCrossCountrySkiingSpeed")

  /// The cadence while cycling; a rate, averaged.
  public static let cyclingCadence = Self(rawValue: "HKQuantityTypeIdentifierCyclingCadence")

  /// The power a cyclist can hold for an hour; a power, averaged.
  public static let cyclingFunctionalThresholdPower =
    Self(rawValue: "HKQuantityTypeIdentifierCyclingFunctionalThresholdPower")

  /// The power while cycling; a power, averaged.
  public static let cyclingPower = Self(rawValue: "HKQuantityTypeIdentifierCyclingPower")

  /// The speed while cycling; a speed, averaged.
  public static let cyclingSpeed = Self(rawValue: "HKQuantityTypeIdentifierCyclingSpeed")

  /// The distance covered cross-country skiing; a length, summed.
  public static let distanceCrossCountrySkiing =
    Self(rawValue: "HKQuantityTypeIdentifierDistanceCrossCountrySkiing")

  /// The distance cycled; a length, summed.
  public static let distanceCycling = Self(rawValue: "HKQuantityTypeIdentifierDistanceCycling")

  /// The distance covered downhill on snow; a length, summed.
  public static let distanceDownhillSnowSports =
    Self(rawValue: "HKQuantityTypeIdentifierDistanceDownhillSnowSports")

  /// The distance paddled; a length, summed.
  public static let distancePaddleSports =
    Self(rawValue: "HKQuantityTypeIdentifierDistancePaddleSports")

  /// The distance rowed; a length, summed.
  public static let distanceRowing = Self(rawValue: "HKQuantityTypeIdentifierDistanceRowing")

  /// The distance skated; a length, summed.
  public static let distanceSkatingSports =
    Self(rawValue: "HKQuantityTypeIdentifierDistanceSkatingSports")

  /// The distance swum; a length, summed.
  public static let distanceSwimming = Self(rawValue: "HKQuantityTypeIdentifierDistanceSwimming")

  /// The distance walked or run; a length, summed.
  public static let distanceWalkingRunning =
    Self(rawValue: "HKQuantityTypeIdentifierDistanceWalkingRunning")

  /// The distance covered in a wheelchair; a length, summed.
  public static let distanceWheelchair =
    Self(rawValue: "HKQuantityTypeIdentifierDistanceWheelchair")

  /// The estimated effort of a workout; an effort score, averaged.
  public static let estimatedWorkoutEffortScore =
    Self(rawValue: "HKQuantityTypeIdentifierEstimatedWorkoutEffortScore")

  /// The flights of stairs climbed; a number, summed.
  public static let flightsClimbed = Self(rawValue: "HKQuantityTypeIdentifierFlightsClimbed")

  /// The NikeFuel points earned; a number, summed.
  public static let nikeFuel = Self(rawValue: "HKQuantityTypeIdentifierNikeFuel")

  /// The speed while paddling; a speed, averaged.
  public static let paddleSportsSpeed = Self(rawValue: "HKQuantityTypeIdentifierPaddleSportsSpeed")

  /// The intensity of physical effort; an energy per mass and time, averaged.
  public static let physicalEffort = Self(rawValue: "HKQuantityTypeIdentifierPhysicalEffort")

  /// The pushes of a wheelchair; a number, summed.
  public static let pushCount = Self(rawValue: "HKQuantityTypeIdentifierPushCount")

  /// The speed while rowing; a speed, averaged.
  public static let rowingSpeed = Self(rawValue: "HKQuantityTypeIdentifierRowingSpeed")

  /// The power while running; a power, averaged.
  public static let runningPower = Self(rawValue: "HKQuantityTypeIdentifierRunningPower")

  /// The speed while running; a speed, averaged.
  public static let runningSpeed = Self(rawValue: "HKQuantityTypeIdentifierRunningSpeed")

  /// The steps taken; a number, summed.
  public static let stepCount = Self(rawValue: "HKQuantityTypeIdentifierStepCount")

  /// The strokes swum; a number, summed.
  public static let swimmingStrokeCount =
    Self(rawValue: "HKQuantityTypeIdentifierSwimmingStrokeCount")

  /// The depth below the water; a length, averaged.
  public static let underwaterDepth = Self(rawValue: "HKQuantityTypeIdentifierUnderwaterDepth")

  /// The rated effort of a workout; an effort score, averaged.
  public static let workoutEffortScore =
    Self(rawValue: "HKQuantityTypeIdentifierWorkoutEffortScore")
}

extension QuantityTypeRow {
  /// The table of types for fitness, sorted by name.
  static let fitness: [QuantityTypeRow] = [
    QuantityTypeRow(.activeEnergyBurned, "kcal", .cumulative),
    QuantityTypeRow(.appleExerciseTime, "min", .cumulative),
    QuantityTypeRow(.appleMoveTime, "min", .cumulative),
    QuantityTypeRow(.appleStandTime, "min", .cumulative),
    QuantityTypeRow(.basalEnergyBurned, "kcal", .cumulative),
    QuantityTypeRow(.crossCountrySkiingSpeed, "m/s", .discreteArithmetic),
    QuantityTypeRow(.cyclingCadence, "count/min", .discreteArithmetic),
    QuantityTypeRow(.cyclingFunctionalThresholdPower, "W", .discreteArithmetic),
    QuantityTypeRow(.cyclingPower, "W", .discreteArithmetic),
    QuantityTypeRow(.cyclingSpeed, "m/s", .discreteArithmetic),
    QuantityTypeRow(.distanceCrossCountrySkiing, "m", .cumulative),
    QuantityTypeRow(.distanceCycling, "m", .cumulative),
    QuantityTypeRow(.distanceDownhillSnowSports, "m", .cumulative),
    QuantityTypeRow(.distancePaddleSports, "m", .cumulative),
    QuantityTypeRow(.distanceRowing, "m", .cumulative),
    QuantityTypeRow(.distanceSkatingSports, "m", .cumulative),
    QuantityTypeRow(.distanceSwimming, "m", .cumulative),
    QuantityTypeRow(.distanceWalkingRunning, "m", .cumulative),
    QuantityTypeRow(.distanceWheelchair, "m", .cumulative),
    QuantityTypeRow(.estimatedWorkoutEffortScore, "appleEffortScore", .discreteArithmetic),
    QuantityTypeRow(.flightsClimbed, "count", .cumulative),
    QuantityTypeRow(.nikeFuel, "count", .cumulative),
    QuantityTypeRow(.paddleSportsSpeed, "m/s", .discreteArithmetic),
    QuantityTypeRow(.physicalEffort, "kcal/(kg*hr)", .discreteArithmetic),
    QuantityTypeRow(.pushCount, "count", .cumulative),
    QuantityTypeRow(.rowingSpeed, "m/s", .discreteArithmetic),
    QuantityTypeRow(.runningPower, "W", .discreteArithmetic),
    QuantityTypeRow(.runningSpeed, "m/s", .discreteArithmetic),
    QuantityTypeRow(.stepCount, "count", .cumulative),
    QuantityTypeRow(.swimmingStrokeCount, "count", .cumulative),
    QuantityTypeRow(.underwaterDepth, "m", .discreteArithmetic),
    QuantityTypeRow(.workoutEffortScore, "appleEffortScore", .discreteArithmetic),
  ]
}
