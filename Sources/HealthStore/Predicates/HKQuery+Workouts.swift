public import Foundation

// Predicates on workouts and on the samples that belong to them.
extension HKQuery {
  /// Returns a predicate that matches objects that belong to a workout.
  ///
  /// Long-running and anchored queries also report samples that were saved earlier and are added to
  /// the workout later.
  public class func predicateForObjects(from workout: HKWorkout) -> NSPredicate {
    comparing(HKPredicateKeyPathWorkout, .equalTo, workout)
  }

  /// Returns a predicate that matches samples that rate the effort of an activity, or for nil of
  /// the workout or any of its activities.
  ///
  /// Long-running queries also report samples that are related to the workout later.
  public class func predicateForWorkoutEffortSamplesRelated(
    workout: HKWorkout, activity: HKWorkoutActivity?
  ) -> NSPredicate {
    SamplePredicate(.effort(EffortParent(workout: workout.uuid, activity: activity?.uuid)))
  }

  /// Returns a predicate that matches workouts of an activity type.
  public class func predicateForWorkouts(
    with workoutActivityType: HKWorkoutActivityType
  ) -> NSPredicate {
    comparing(HKPredicateKeyPathWorkoutType, .equalTo, workoutActivityType.rawValue)
  }

  /// Returns a predicate that matches workouts whose duration in seconds satisfies the operator
  /// with `duration`.
  ///
  /// Traps unless the operator is one of the six relational operators.
  public class func predicateForWorkouts(
    with operatorType: HKComparisonOperator, duration: TimeInterval
  ) -> NSPredicate {
    comparing(HKPredicateKeyPathWorkoutDuration, operatorType, duration)
  }

  /// Returns a predicate that matches workouts whose total energy satisfies the operator with
  /// `totalEnergyBurned`.
  ///
  /// Traps unless the operator is one of the six relational operators.
  public class func predicateForWorkouts(
    with operatorType: HKComparisonOperator, totalEnergyBurned: HKQuantity
  ) -> NSPredicate {
    comparing(HKPredicateKeyPathWorkoutTotalEnergyBurned, operatorType, totalEnergyBurned)
  }

  /// Returns a predicate that matches workouts whose total distance satisfies the operator with
  /// `totalDistance`.
  ///
  /// Traps unless the operator is one of the six relational operators.
  public class func predicateForWorkouts(
    with operatorType: HKComparisonOperator, totalDistance: HKQuantity
  ) -> NSPredicate {
    comparing(HKPredicateKeyPathWorkoutTotalDistance, operatorType, totalDistance)
  }

  /// Returns a predicate that matches workouts whose stroke count satisfies the operator with
  /// `totalSwimmingStrokeCount`.
  ///
  /// Traps unless the operator is one of the six relational operators.
  public class func predicateForWorkouts(
    with operatorType: HKComparisonOperator, totalSwimmingStrokeCount: HKQuantity
  ) -> NSPredicate {
    comparing(
      HKPredicateKeyPathWorkoutTotalSwimmingStrokeCount, operatorType, totalSwimmingStrokeCount)
  }

  /// Returns a predicate that matches workouts whose flight count satisfies the operator with
  /// `totalFlightsClimbed`.
  ///
  /// Traps unless the operator is one of the six relational operators.
  public class func predicateForWorkouts(
    with operatorType: HKComparisonOperator, totalFlightsClimbed: HKQuantity
  ) -> NSPredicate {
    comparing(HKPredicateKeyPathWorkoutTotalFlightsClimbed, operatorType, totalFlightsClimbed)
  }

  /// Returns a predicate that matches workouts with an activity that satisfies a predicate.
  ///
  /// Traps if the predicate is nested too deeply.
  public class func predicateForWorkouts(activityPredicate: NSPredicate) -> NSPredicate {
    SamplePredicate.orTrap { () throws(HKPredicateFormatError) in
      .workoutActivity(try SampleCondition(activityPredicate))
    }
  }

  /// Returns a comparison of a key path with a constant.
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
