public import Foundation

// These are for `predicateForWorkouts(activityPredicate:)`; no object of a store satisfies them.

extension HKQuery {
  /// Admits activities of a kind.
  public class func predicateForWorkoutActivities(
    workoutActivityType: HKWorkoutActivityType
  ) -> NSPredicate {
    comparing(HKPredicateKeyPathWorkoutActivityType, .equalTo, workoutActivityType.rawValue)
  }

  /// Admits activities whose duration in seconds stands to `duration` as the operator says.
  ///
  /// Traps when the operator is not one of the six that compare order.
  public class func predicateForWorkoutActivities(
    operatorType: HKComparisonOperator, duration: TimeInterval
  ) -> NSPredicate {
    comparing(HKPredicateKeyPathWorkoutActivityDuration, operatorType, duration)
  }

  /// Admits activities by their time, as `predicateForSamples(withStart:end:options:)` does.
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

  /// Admits activities over which the sum of a type's samples stands to a quantity as the operator
  /// says.
  ///
  /// Traps when the operator is not one of the six that compare order.
  public class func predicateForWorkoutActivities(
    operatorType: HKComparisonOperator, quantityType: HKQuantityType, sumQuantity: HKQuantity
  ) -> NSPredicate {
    comparing(HKPredicateKeyPathWorkoutActivitySumQuantity, quantityType, operatorType, sumQuantity)
  }

  /// Admits activities over which the least of a type's samples stands to a quantity as the
  /// operator says.
  ///
  /// Traps when the operator is not one of the six that compare order.
  public class func predicateForWorkoutActivities(
    operatorType: HKComparisonOperator, quantityType: HKQuantityType, minimumQuantity: HKQuantity
  ) -> NSPredicate {
    comparing(
      HKPredicateKeyPathWorkoutActivityMinimumQuantity, quantityType, operatorType,
      minimumQuantity)
  }

  /// Admits activities over which the greatest of a type's samples stands to a quantity as the
  /// operator says.
  ///
  /// Traps when the operator is not one of the six that compare order.
  public class func predicateForWorkoutActivities(
    operatorType: HKComparisonOperator, quantityType: HKQuantityType, maximumQuantity: HKQuantity
  ) -> NSPredicate {
    comparing(
      HKPredicateKeyPathWorkoutActivityMaximumQuantity, quantityType, operatorType,
      maximumQuantity)
  }

  /// Admits activities over which the average of a type's samples stands to a quantity as the
  /// operator says.
  ///
  /// Traps when the operator is not one of the six that compare order.
  public class func predicateForWorkoutActivities(
    operatorType: HKComparisonOperator, quantityType: HKQuantityType, averageQuantity: HKQuantity
  ) -> NSPredicate {
    comparing(
      HKPredicateKeyPathWorkoutActivityAverageQuantity, quantityType, operatorType,
      averageQuantity)
  }
}
