import HealthStore

/// HealthKit's names for the codes of the stream.
///
/// Sleep and workouts are represented by quantities, so that every row is a quantity sample.
enum StreamNames {
  static let types: [HKQuantityTypeIdentifier] = [
    .heartRate, .stepCount, .activeEnergyBurned, .distanceWalkingRunning,
    .heartRateVariabilitySDNN, .oxygenSaturation, .bloodGlucose, .appleStandTime, .bodyMass,
    .appleExerciseTime,
  ]

  static let units = [
    "count/min", "count", "kcal", "m", "ms", "%", "mg/dL", "s", "kg", "min",
  ]

  static let sources = (0..<4).map { "com.example.source \($0)" }

  static let devices = (0..<8).map { "device \($0)" }
}
