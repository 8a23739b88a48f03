/// The test that determined a heart rate recovery.
public enum HKHeartRateRecoveryTestType: Int, Sendable {
  /// Measured at maximal exercise.
  case maxExercise = 1

  /// Predicted from submaximal exercise.
  case predictionSubMaxExercise = 2

  /// Predicted without exercise.
  case predictionNonExercise = 3
}
