import Foundation

// Conditions on the properties of quantity samples and workouts.
extension SampleCondition {
  /// Returns the condition for a property of a quantity sample's values; other samples never match.
  static func series(
    _ property: SeriesField, _ relation: Relation, _ constant: ConditionConstant,
    _ options: TextOptions
  ) throws(HKPredicateFormatError) -> SampleCondition {
    switch constant {
    case .null where relation == .equal: return .never
    case .null where relation == .notEqual: return .series(property, try ValueTest(.isNotNull))
    case .value(let given):
      guard let value = property.operand(given) else { break }
      return .series(property, try ValueTest(.relation(relation), [value], options: options))
    default: break
    }
    throw .unsuitableConstant(keyPath: property.rawValue, constant: constant.text)
  }

  /// Returns the condition for comparing a property of workouts with null.
  ///
  /// A comparison that applies to workouts only is never satisfied by other samples, not even with
  /// null.
  static func null(
    _ property: WorkoutProperty, _ isEqual: Bool
  ) throws(HKPredicateFormatError) -> SampleCondition {
    switch property.keyPath {
    case HKPredicateKeyPathWorkout: isEqual ? .not(.workout(nil)) : .workout(nil)
    case HKPredicateKeyPathWorkoutEffortRelationship: isEqual ? .not(.effort(nil)) : .effort(nil)
    default: .workoutProperty(property, try ValueTest(isEqual ? .isNull : .isNotNull))
    }
  }
}
