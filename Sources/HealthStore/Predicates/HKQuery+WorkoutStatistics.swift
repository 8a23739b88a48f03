public import Foundation

// Predicates on the statistics of a workout.
extension HKQuery {
  /// Returns a predicate that matches workouts with a sum of a type's samples that satisfies the
  /// operator with a quantity.
  ///
  /// Traps unless the operator is one of the six relational operators.
  public class func predicateForWorkouts(
    operatorType: HKComparisonOperator, quantityType: HKQuantityType, sumQuantity: HKQuantity
  ) -> NSPredicate {
    comparing(HKPredicateKeyPathWorkoutSumQuantity, quantityType, operatorType, sumQuantity)
  }

  /// Returns a predicate that matches workouts with a minimum of a type's samples that satisfies
  /// the operator with a quantity.
  ///
  /// Traps unless the operator is one of the six relational operators.
  public class func predicateForWorkouts(
    operatorType: HKComparisonOperator, quantityType: HKQuantityType, minimumQuantity: HKQuantity
  ) -> NSPredicate {
    comparing(HKPredicateKeyPathWorkoutMinimumQuantity, quantityType, operatorType, minimumQuantity)
  }

  /// Returns a predicate that matches workouts with a maximum of a type's samples that satisfies
  /// the operator with a quantity.
  ///
  /// Traps unless the operator is one of the six relational operators.
  public class func predicateForWorkouts(
    operatorType: HKComparisonOperator, quantityType: HKQuantityType, maximumQuantity: HKQuantity
  ) -> NSPredicate {
    comparing(HKPredicateKeyPathWorkoutMaximumQuantity, quantityType, operatorType, maximumQuantity)
  }

  /// Returns a predicate that matches workouts with an average of a type's samples that satisfies
  /// the operator with a quantity.
  ///
  /// Traps unless the operator is one of the six relational operators.
  public class func predicateForWorkouts(
    operatorType: HKComparisonOperator, quantityType: HKQuantityType, averageQuantity: HKQuantity
  ) -> NSPredicate {
    comparing(HKPredicateKeyPathWorkoutAverageQuantity, quantityType, operatorType, averageQuantity)
  }

  /// Returns a comparison of a statistic of one type.
  final class func comparing(
    _ statistic: String, _ quantityType: HKQuantityType, _ operatorType: HKComparisonOperator,
    _ quantity: HKQuantity
  ) -> NSPredicate {
    comparing("\(statistic).\(quantityType.identifier)", operatorType, quantity)
  }
}
