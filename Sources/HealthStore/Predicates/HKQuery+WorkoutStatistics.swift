public import Foundation

extension HKQuery {
  /// Admits workouts over which the sum of a type's samples stands to a quantity as the operator
  /// says.
  ///
  /// Traps when the operator is not one of the six that compare order.
  public class func predicateForWorkouts(
    operatorType: HKComparisonOperator, quantityType: HKQuantityType, sumQuantity: HKQuantity
  ) -> NSPredicate {
    comparing(HKPredicateKeyPathWorkoutSumQuantity, quantityType, operatorType, sumQuantity)
  }

  /// Admits workouts over which the least of a type's samples stands to a quantity as the operator
  /// says.
  ///
  /// Traps when the operator is not one of the six that compare order.
  public class func predicateForWorkouts(
    operatorType: HKComparisonOperator, quantityType: HKQuantityType, minimumQuantity: HKQuantity
  ) -> NSPredicate {
    comparing(HKPredicateKeyPathWorkoutMinimumQuantity, quantityType, operatorType, minimumQuantity)
  }

  /// Admits workouts over which the greatest of a type's samples stands to a quantity as the
  /// operator says.
  ///
  /// Traps when the operator is not one of the six that compare order.
  public class func predicateForWorkouts(
    operatorType: HKComparisonOperator, quantityType: HKQuantityType, maximumQuantity: HKQuantity
  ) -> NSPredicate {
    comparing(HKPredicateKeyPathWorkoutMaximumQuantity, quantityType, operatorType, maximumQuantity)
  }

  /// Admits workouts over which the average of a type's samples stands to a quantity as the
  /// operator says.
  ///
  /// Traps when the operator is not one of the six that compare order.
  public class func predicateForWorkouts(
    operatorType: HKComparisonOperator, quantityType: HKQuantityType, averageQuantity: HKQuantity
  ) -> NSPredicate {
    comparing(HKPredicateKeyPathWorkoutAverageQuantity, quantityType, operatorType, averageQuantity)
  }

  /// A comparison of a statistic of one type.
  final class func comparing(
    _ statistic: String, _ quantityType: HKQuantityType, _ operatorType: HKComparisonOperator,
    _ quantity: HKQuantity
  ) -> NSPredicate {
    comparing("\(statistic).\(quantityType.identifier)", operatorType, quantity)
  }
}
