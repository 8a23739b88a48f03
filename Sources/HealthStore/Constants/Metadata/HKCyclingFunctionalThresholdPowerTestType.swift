/// How a cyclist's threshold power was found.
public enum HKCyclingFunctionalThresholdPowerTestType: Int, Sendable {
  /// The greatest effort of 60 minutes.
  case maxExercise60Minute = 1

  /// The greatest effort of 20 minutes.
  case maxExercise20Minute = 2

  /// Ramp test.
  case rampTest = 3

  /// Predicted from an exercise.
  case predictionExercise = 4
}
