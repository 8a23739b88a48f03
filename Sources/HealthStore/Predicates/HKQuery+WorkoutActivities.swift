public import Foundation

// For `predicateForWorkouts(activityPredicate:)` only; no stored object matches these predicates.

extension HKQuery {
  /// Returns a predicate that matches workout activities of a type.
  public class func predicateForWorkoutActivities(
    workoutActivityType: HKWorkoutActivityType
  ) -> NSPredicate {
    comparing(HKPredicateKeyPathWorkoutActivityType, .equalTo, workoutActivityType.rawValue)
  }

  /// Returns a predicate that matches activities whose duration in seconds satisfies the operator
  /// with `duration`.
  ///
  /// Traps unless the operator is one of the six relational operators.
  public class func predicateForWorkoutActivities(
    operatorType: HKComparisonOperator, duration: TimeInterval
  ) -> NSPredicate {
    comparing(HKPredicateKeyPathWorkoutActivityDuration, operatorType, duration)
  }

  /// Returns a predicate that matches activities by date, as
  /// `predicateForSamples(withStart:end:options:)` does for samples.
  public class func predicateForWorkoutActivities(
    start startDate: Date?, end endDate: Date?, options: HKQueryOptions = []
  ) -> NSPredicate {
    let strictStart = options.contains(.strictStartDate)
    let strictEnd = options.contains(.strictEndDate)
    var parts: [NSPredicate] = []
    if let startDate {
      let side =
        strictStart
        ? HKPredicateKeyPathWorkoutActivityStartDate : HKPredicateKeyPathWorkoutActivityEndDate
      parts.append(comparing(side, .greaterThanOrEqualTo, startDate))
    }
    if let endDate {
      let side =
        strictEnd
        ? HKPredicateKeyPathWorkoutActivityEndDate : HKPredicateKeyPathWorkoutActivityStartDate
      parts.append(comparing(side, .lessThan, endDate))
    }
    return SamplePredicate.orTrap { () throws(HKPredicateFormatError) in
      try SampleCondition(NSCompoundPredicate(andPredicateWithSubpredicates: parts))
    }
  }

  /// Returns a predicate that matches activities with a sum of a type's samples that satisfies the
  /// operator with a quantity.
  ///
  /// Traps unless the operator is one of the six relational operators.
  public class func predicateForWorkoutActivities(
    operatorType: HKComparisonOperator, quantityType: HKQuantityType, sumQuantity: HKQuantity
  ) -> NSPredicate {
    comparing(HKPredicateKeyPathWorkoutActivitySumQuantity, quantityType, operatorType, sumQuantity)
  }

  /// Returns a predicate that matches activities with a minimum of a type's samples that satisfies
  /// the operator with a quantity.
  ///
  /// Traps unless the operator is one of the six relational operators.
  public class func predicateForWorkoutActivities(
    operatorType: HKComparisonOperator, quantityType: HKQuantityType, minimumQuantity: HKQuantity
  ) -> NSPredicate {
    comparing(
      HKPredicateKeyPathWorkoutActivityMinimumQuantity, quantityType, operatorType,
      minimumQuantity)
  }

  /// Returns a predicate that matches activities with a maximum of a type's samples that satisfies
  /// the operator with a quantity.
  ///
  /// Traps unless the operator is one of the six relational operators.
  public class func predicateForWorkoutActivities(
    operatorType: HKComparisonOperator, quantityType: HKQuantityType, maximumQuantity: HKQuantity
  ) -> NSPredicate {
    comparing(
      HKPredicateKeyPathWorkoutActivityMaximumQuantity, quantityType, operatorType,
      maximumQuantity)
  }

  /// Returns a predicate that matches activities with an average of a type's samples that satisfies
  /// the operator with a quantity.
  ///
  /// Traps unless the operator is one of the six relational operators.
  public class func predicateForWorkoutActivities(
    operatorType: HKComparisonOperator, quantityType: HKQuantityType, averageQuantity: HKQuantity
  ) -> NSPredicate {
    comparing(
      HKPredicateKeyPathWorkoutActivityAverageQuantity, quantityType, operatorType,
      averageQuantity)
  }
}
