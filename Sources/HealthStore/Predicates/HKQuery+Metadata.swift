public import Foundation

// Predicates on metadata.
extension HKQuery {
  /// Returns a predicate that matches objects with a metadata key, regardless of its value.
  public class func predicateForObjects(withMetadataKey key: String) -> NSPredicate {
    SamplePredicate.orTrap { () throws(HKPredicateFormatError) in
      .metadata(key, try ValueTest(.isNotNull))
    }
  }

  /// Returns a predicate that matches objects whose metadata value is one of the allowed values.
  ///
  /// Numbers and Booleans are compared by value; quantities are converted. Traps if a value is not
  /// a `String`, number, `Date` or `HKQuantity`.
  public class func predicateForObjects(
    withMetadataKey key: String, allowedValues: [Any]
  ) -> NSPredicate {
    SamplePredicate.orTrap { () throws(HKPredicateFormatError) in
      try SampleCondition(.metadata(key), .oneOf, ConditionConstant(allowedValues))
    }
  }

  /// Returns a predicate that matches objects whose metadata value satisfies the operator with
  /// `value`.
  ///
  /// Objects without the key, or with a value of another class, satisfy only `notEqualTo`. `in`
  /// takes an array and `between` an array of two elements. `beginsWith`, `endsWith`, `contains`,
  /// `like` and `matches` compare text. Traps if the operator does not apply to the value.
  public class func predicateForObjects(
    withMetadataKey key: String, operatorType: HKComparisonOperator, value: Any
  ) -> NSPredicate {
    SamplePredicate.orTrap { () throws(HKPredicateFormatError) in
      try SampleCondition(
        .metadata(key), ConditionOperator(operatorType), ConditionConstant(value))
    }
  }
}
