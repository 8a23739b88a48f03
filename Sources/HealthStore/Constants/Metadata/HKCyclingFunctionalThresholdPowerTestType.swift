/// The test that determined a functional threshold power.
public enum HKCyclingFunctionalThresholdPowerTestType: Int, Sendable {
  /// Maximum effort for 60 minutes.
  case maxExercise60Minute = 1

  /// Maximum effort for 20 minutes.
  case maxExercise20Minute = 2

  /// Ramp test.
  case rampTest = 3

  /// Predicted from exercise.
  case predictionExercise = 4
}
