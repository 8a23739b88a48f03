// Property names for sort descriptors.

/// Sorts samples by their start.
public let HKSampleSortIdentifierStartDate = "HKSampleSortIdentifierStartDate"

/// Sorts samples by their end.
public let HKSampleSortIdentifierEndDate = "HKSampleSortIdentifierEndDate"

/// Sorts workouts by their duration.
public let HKWorkoutSortIdentifierDuration = "HKWorkoutSortIdentifierDuration"

/// Sorts workouts by their distance.
public let HKWorkoutSortIdentifierTotalDistance = "HKWorkoutSortIdentifierTotalDistance"

/// Sorts workouts by the energy burned.
public let HKWorkoutSortIdentifierTotalEnergyBurned = "HKWorkoutSortIdentifierTotalEnergyBurned"

/// Sorts workouts by the number of swimming strokes.
public let HKWorkoutSortIdentifierTotalSwimmingStrokeCount = "totalSwimmingStrokeCount"

/// Sorts workouts by the number of flights climbed.
public let HKWorkoutSortIdentifierTotalFlightsClimbed = "totalFlightsClimbed"
