public import Foundation

// Predicates on the dates, quantity and category value of a sample.
extension HKQuery {
  /// Returns a predicate that matches samples by date.
  ///
  /// Without options, a sample must overlap the range: it ends at or after `startDate` and starts
  /// before `endDate`. So a sample that ends exactly at `startDate` matches. `strictStartDate`
  /// requires its start, and `strictEndDate` its end, to be at or after `startDate` and before
  /// `endDate`. A nil date leaves that side open.
  public class func predicateForSamples(
    withStart startDate: Date?, end endDate: Date?, options: HKQueryOptions = []
  ) -> NSPredicate {
    let strictStart = options.contains(.strictStartDate)
    let strictEnd = options.contains(.strictEndDate)
    var parts: [SampleCondition] = []
    if let startDate {
      // With both options, this implies the condition on the end.
      parts.append(
        strictStart ? .startDate(.greaterOrEqual, startDate) : .endDate(.greaterOrEqual, startDate))
    }
    if let endDate {
      // With both options, this implies the condition on the start.
      parts.append(strictEnd ? .endDate(.less, endDate) : .startDate(.less, endDate))
    }
    return SamplePredicate(SampleCondition.all(parts).simplified)
  }

  /// Returns a predicate that matches quantity samples whose quantity satisfies the operator with
  /// `quantity`.
  ///
  /// Quantities are converted to a common unit; incompatible quantities never match. Traps unless
  /// the operator is one of the six relational operators.
  public class func predicateForQuantitySamples(
    with operatorType: HKComparisonOperator, quantity: HKQuantity
  ) -> NSPredicate {
    SamplePredicate.orTrap { () throws(HKPredicateFormatError) in
      try SampleCondition(.quantity, ConditionOperator(operatorType), .value(quantity))
    }
  }

  /// Returns a predicate that matches category samples whose value satisfies the operator with
  /// `value`.
  ///
  /// Traps unless the operator is one of the six relational operators.
  public class func predicateForCategorySamples(
    with operatorType: HKComparisonOperator, value: Int
  ) -> NSPredicate {
    SamplePredicate.orTrap { () throws(HKPredicateFormatError) in
      try SampleCondition(.categoryValue, ConditionOperator(operatorType), .value(value))
    }
  }
}

extension HKCategoryValuePredicateProviding where RawValue == Int {
  /// Returns a predicate that matches category samples whose value satisfies the operator with
  /// `value`.
  ///
  /// Traps unless the operator is one of the six relational operators.
  public static func predicateForSamples(
    _ operatorType: HKComparisonOperator, value: Self
  ) -> NSPredicate {
    HKQuery.predicateForCategorySamples(with: operatorType, value: value.rawValue)
  }

  /// Returns a predicate that matches category samples with any of the values.
  public static func predicateForSamples(equalTo values: Set<Self>) -> NSPredicate {
    let parts = values.map(\.rawValue).sorted().map { SampleCondition.categoryValue(.equal, $0) }
    return SamplePredicate(SampleCondition.any(parts).simplified)
  }
}
