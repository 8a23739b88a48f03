/// How the greatest oxygen consumption was found.
public enum HKVO2MaxTestType: Int, Sendable {
  /// Measured at the greatest effort.
  case maxExercise = 1

  /// Predicted from an exercise below the maximum.
  case predictionSubMaxExercise = 2

  /// Predicted without an exercise.
  case predictionNonExercise = 3

  /// Predicted from steps up and down.
  case predictionStepTest = 4
}
