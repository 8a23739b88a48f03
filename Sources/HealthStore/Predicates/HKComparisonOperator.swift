public import Foundation

/// Foundation's `NSComparisonPredicate.Operator`, which HealthKit's predicates take.
///
/// On Linux Foundation marks the enclosing class as deprecated, because it cannot be constructed
/// there, so that merely naming the enumeration is a warning. This is the same type.
public typealias HKComparisonOperator = HKComparisonOperatorSource.Operator

/// Where `HKComparisonOperator` gets its type from; of no other use.
public enum HKComparisonOperatorSource: HKComparisonOperatorNaming {
  /// Names the operator type in a place where naming it is no warning.
  @available(*, deprecated, message: "Use HKComparisonOperator.")
  public static func name(_ operator: NSComparisonPredicate.Operator) {}
}

/// Lets the compiler infer the operator type instead of having it spelt out.
public protocol HKComparisonOperatorNaming {
  /// The inferred type.
  associatedtype Operator
  /// Has the type as its only parameter.
  static func name(_ operator: Operator)
}
