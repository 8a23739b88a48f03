/// The test that determined a VO₂ max.
public enum HKVO2MaxTestType: Int, Sendable {
  /// Measured at maximal exercise.
  case maxExercise = 1

  /// Predicted from submaximal exercise.
  case predictionSubMaxExercise = 2

  /// Predicted without exercise.
  case predictionNonExercise = 3

  /// Predicted from a step test.
  case predictionStepTest = 4
}
