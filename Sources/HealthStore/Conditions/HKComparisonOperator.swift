public import Foundation

/// Foundation's `NSComparisonPredicate.Operator`, which HealthKit's predicates use.
///
/// On Linux, Foundation deprecates the enclosing class because it cannot be constructed there, so
/// naming the enumeration causes a warning. This alias is the same type without the warning.
public typealias HKComparisonOperator = HKComparisonOperatorSource.Operator

/// The source of the type of `HKComparisonOperator`; not for other use.
public enum HKComparisonOperatorSource: HKComparisonOperatorNaming {
  /// Names the operator type in a deprecated declaration, where it causes no warning.
  @available(*, deprecated, message: "Use HKComparisonOperator.")
  public static func name(_ operator: NSComparisonPredicate.Operator) {}
}

/// Lets the compiler infer the operator type.
public protocol HKComparisonOperatorNaming {
  /// The inferred type.
  associatedtype Operator
  /// A function whose only parameter has the type.
  static func name(_ operator: Operator)
}
