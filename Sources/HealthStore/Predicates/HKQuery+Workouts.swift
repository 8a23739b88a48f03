public import Foundation

// This version stores no workouts, so that all these admit nothing.

extension HKQuery {
  /// Admits objects that belong to a workout.
  public class func predicateForObjects(from workout: HKWorkout) -> NSPredicate {
    comparing(HKPredicateKeyPathWorkout, .equalTo, workout)
  }

  /// Admits workouts of an activity.
  public class func predicateForWorkouts(
    with workoutActivityType: HKWorkoutActivityType
  ) -> NSPredicate {
    comparing(HKPredicateKeyPathWorkoutType, .equalTo, workoutActivityType.rawValue)
  }

  /// Admits workouts whose duration in seconds stands to `duration` as the operator says.
  ///
  /// Traps when the operator is not one of the six that compare order.
  public class func predicateForWorkouts(
    with operatorType: HKComparisonOperator, duration: TimeInterval
  ) -> NSPredicate {
    comparing(HKPredicateKeyPathWorkoutDuration, operatorType, duration)
  }

  /// Admits workouts whose energy stands to `totalEnergyBurned` as the operator says.
  ///
  /// Traps when the operator is not one of the six that compare order.
  public class func predicateForWorkouts(
    with operatorType: HKComparisonOperator, totalEnergyBurned: HKQuantity
  ) -> NSPredicate {
    comparing(HKPredicateKeyPathWorkoutTotalEnergyBurned, operatorType, totalEnergyBurned)
  }

  /// Admits workouts whose distance stands to `totalDistance` as the operator says.
  ///
  /// Traps when the operator is not one of the six that compare order.
  public class func predicateForWorkouts(
    with operatorType: HKComparisonOperator, totalDistance: HKQuantity
  ) -> NSPredicate {
    comparing(HKPredicateKeyPathWorkoutTotalDistance, operatorType, totalDistance)
  }

  /// Admits workouts whose strokes stand to `totalSwimmingStrokeCount` as the operator says.
  ///
  /// Traps when the operator is not one of the six that compare order.
  public class func predicateForWorkouts(
    with operatorType: HKComparisonOperator, totalSwimmingStrokeCount: HKQuantity
  ) -> NSPredicate {
    comparing(
      HKPredicateKeyPathWorkoutTotalSwimmingStrokeCount, operatorType, totalSwimmingStrokeCount)
  }

  /// Admits workouts whose flights stand to `totalFlightsClimbed` as the operator says.
  ///
  /// Traps when the operator is not one of the six that compare order.
  public class func predicateForWorkouts(
    with operatorType: HKComparisonOperator, totalFlightsClimbed: HKQuantity
  ) -> NSPredicate {
    comparing(HKPredicateKeyPathWorkoutTotalFlightsClimbed, operatorType, totalFlightsClimbed)
  }

  /// Admits workouts with an activity that satisfies a predicate for activities.
  ///
  /// Traps when the predicate is nested too deeply.
  public class func predicateForWorkouts(activityPredicate: NSPredicate) -> NSPredicate {
    SamplePredicate.orTrap { () throws(HKPredicateFormatError) in
      .workoutActivity(try SampleCondition(activityPredicate))
    }
  }

  /// A comparison of what a key path names.
  final class func comparing(
    _ keyPath: String, _ operatorType: HKComparisonOperator, _ constant: Any
  ) -> NSPredicate {
    SamplePredicate.orTrap { () throws(HKPredicateFormatError) in
      try SampleCondition(
        ConditionField(keyPath: keyPath), ConditionOperator(operatorType),
        ConditionConstant(constant))
    }
  }

  /// A comparison of a property that no object of a store has, and no key path names.
  final class func comparing(
    _ property: UnsupportedField, _ operatorType: HKComparisonOperator, _ constant: Any
  ) -> NSPredicate {
    SamplePredicate.orTrap { () throws(HKPredicateFormatError) in
      try SampleCondition(
        .unsupported(property), ConditionOperator(operatorType), ConditionConstant(constant))
    }
  }
}
