public import Foundation

extension HKQuery {
  /// Admits objects that belong to a workout.
  ///
  /// A query that goes on, or an anchor, also leads to samples that were saved before and are added
  /// to the workout later.
  public class func predicateForObjects(from workout: HKWorkout) -> NSPredicate {
    comparing(HKPredicateKeyPathWorkout, .equalTo, workout)
  }

  /// Admits samples that rate the effort of a workout: of an activity of it, or of any and of the
  /// workout as a whole for `nil`.
  ///
  /// A query that goes on also sees samples that are related to the workout later.
  public class func predicateForWorkoutEffortSamplesRelated(
    workout: HKWorkout, activity: HKWorkoutActivity?
  ) -> NSPredicate {
    SamplePredicate(.effort(EffortOwner(workout: workout.uuid, activity: activity?.uuid)))
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
}
