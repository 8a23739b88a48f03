public import Foundation

extension HKQuery {
  /// Admits samples by their time.
  ///
  /// Without options a sample must overlap the time: end at or after `startDate` and start before
  /// `endDate`. `strictStartDate` asks for a start inside, `strictEndDate` for an end inside; an
  /// instant is inside when it is not before `startDate` and before `endDate`. `nil` leaves that
  /// side open. So a sample that ends exactly at `startDate` is admitted without options.
  public class func predicateForSamples(
    withStart startDate: Date?, end endDate: Date?, options: HKQueryOptions = []
  ) -> NSPredicate {
    let strictStart = options.contains(.strictStartDate)
    let strictEnd = options.contains(.strictEndDate)
    var parts: [SampleCondition] = []
    if let startDate {
      // With both options the end follows from the start.
      parts.append(
        strictStart ? .startDate(.greaterOrEqual, startDate) : .endDate(.greaterOrEqual, startDate))
    }
    if let endDate {
      // With both options the start follows from the end.
      parts.append(strictEnd ? .endDate(.less, endDate) : .startDate(.less, endDate))
    }
    return SamplePredicate(SampleCondition.all(parts).simplified)
  }

  /// Admits quantity samples whose quantity stands to `quantity` as the operator says.
  ///
  /// Quantities are converted to the same unit; incompatible ones never match. Traps when the
  /// operator is not one of the six that compare order.
  public class func predicateForQuantitySamples(
    with operatorType: HKComparisonOperator, quantity: HKQuantity
  ) -> NSPredicate {
    SamplePredicate.orTrap { () throws(HKPredicateFormatError) in
      try SampleCondition(.quantity, ConditionOperator(operatorType), .value(quantity))
    }
  }

  /// Admits category samples whose value stands to `value` as the operator says.
  ///
  /// Traps when the operator is not one of the six that compare order.
  public class func predicateForCategorySamples(
    with operatorType: HKComparisonOperator, value: Int
  ) -> NSPredicate {
    SamplePredicate.orTrap { () throws(HKPredicateFormatError) in
      try SampleCondition(.categoryValue, ConditionOperator(operatorType), .value(value))
    }
  }
}

extension HKCategoryValuePredicateProviding where RawValue == Int {
  /// Admits category samples whose value stands to `value` as the operator says.
  ///
  /// Traps when the operator is not one of the six that compare order.
  public static func predicateForSamples(
    _ operatorType: HKComparisonOperator, value: Self
  ) -> NSPredicate {
    HKQuery.predicateForCategorySamples(with: operatorType, value: value.rawValue)
  }

  /// Admits category samples that have one of the values.
  public static func predicateForSamples(equalTo values: Set<Self>) -> NSPredicate {
    let parts = values.map(\.rawValue).sorted().map { SampleCondition.categoryValue(.equal, $0) }
    return SamplePredicate(SampleCondition.any(parts).simplified)
  }
}
