import Foundation

extension SampleCondition {
  /// What comparing a property of a quantity sample's values means; other samples never match.
  ///
  /// Each sample stands for one value, so that most properties are the sample's own.
  static func series(
    _ property: SeriesField, _ relation: Relation, _ constant: ConditionConstant,
    _ options: TextOptions
  ) throws(HKPredicateFormatError) -> SampleCondition {
    if let field = property.field {
      return .all([
        .discreteSample, try Self.relation(field, relation, constant, options),
      ])
    }
    let kind: SampleCondition = property == .count ? .quantitySample : .discreteSample
    switch constant {
    case .null where relation == .equal: return .never
    case .null where relation == .notEqual: return kind
    case .value(let number as NSNumber):
      let number = number.doubleValue
      if property == .count { return relation.holds(1, number) ? kind : .never }
      return .all([kind, .duration(relation, number)])
    default: throw .unsuitableConstant(keyPath: property.rawValue, constant: constant.text)
    }
  }

  /// What comparing a property that no object has with null means.
  ///
  /// Every sample could be a workout's and none is; what is no property of a sample's class cannot
  /// be compared, not even with null.
  static func null(
    _ property: UnsupportedField, _ isEqual: Bool
  ) throws(HKPredicateFormatError) -> SampleCondition {
    switch property.keyPath {
    case HKPredicateKeyPathWorkout, HKPredicateKeyPathWorkoutEffortRelationship:
      isEqual ? .always : .never
    default: .unsupported(property, try ValueTest(isEqual ? .isNull : .isNotNull))
    }
  }
}
