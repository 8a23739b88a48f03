public import Foundation

extension HKQuery {
  /// Admits objects whose metadata has the key, whatever its value.
  public class func predicateForObjects(withMetadataKey key: String) -> NSPredicate {
    SamplePredicate.orTrap { () throws(HKPredicateFormatError) in
      .metadata(key, try ValueTest(.isNotNull))
    }
  }

  /// Admits objects whose metadata has one of the values under the key.
  ///
  /// Numbers are equal when they mean the same, Booleans included; quantities are converted. Traps
  /// when a value is not a `String`, number, `Date` or `HKQuantity`.
  public class func predicateForObjects(
    withMetadataKey key: String, allowedValues: [Any]
  ) -> NSPredicate {
    SamplePredicate.orTrap { () throws(HKPredicateFormatError) in
      try SampleCondition(.metadata(key), .oneOf, ConditionConstant(allowedValues))
    }
  }

  /// Admits objects whose metadata value under the key stands to `value` as the operator says.
  ///
  /// Objects without the key satisfy `notEqualTo` and nothing else; so do values of another class
  /// than `value`'s. `in` takes an array and `between` one of two elements. `beginsWith`,
  /// `endsWith`, `contains`, `like` and `matches` compare text. Traps when the operator and the
  /// value do not go together.
  public class func predicateForObjects(
    withMetadataKey key: String, operatorType: HKComparisonOperator, value: Any
  ) -> NSPredicate {
    SamplePredicate.orTrap { () throws(HKPredicateFormatError) in
      try SampleCondition(
        .metadata(key), ConditionOperator(operatorType), ConditionConstant(value))
    }
  }
}
