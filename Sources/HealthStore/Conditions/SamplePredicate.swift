public import Foundation

/// A predicate on samples that stores its condition tree.
///
/// Equality and hash are those of the tree. Evaluates HealthKit objects, sources and activity
/// summaries; other objects never match.
final class SamplePredicate: NSPredicate {
  let condition: SampleCondition

  init(_ condition: SampleCondition) {
    self.condition = condition
    super.init(value: true)
  }

  /// The condition in format string syntax.
  override var predicateFormat: String { condition.description }

  /// The same as `predicateFormat`.
  override var description: String { condition.description }

  /// Returns whether an `HKObject`, `HKSource` or `HKActivitySummary` satisfies the condition.
  ///
  /// Traps if matching a regular expression takes too many steps, where Foundation raises an
  /// exception for a failed match; `healthEvaluate(with:)` throws instead.
  override func evaluate(
    with object: Any?, substitutionVariables bindings: [String: Any]?
  ) -> Bool {
    do {
      return try matches(object)
    } catch {
      guard let failure = PredicateFailure.current else {
        fatalError("A predicate could not be evaluated: \(error)")
      }
      failure.note(error)
      return false
    }
  }

  private func matches(_ object: Any?) throws -> Bool {
    switch object {
    case let object as HKObject: try condition.matches(object)
    case let source as HKSource: try condition.matches(source)
    case let summary as HKActivitySummary: try condition.matches(summary)
    default: condition == .always
    }
  }

  /// Returns the same object, because it is immutable.
  override func copy(with zone: NSZone? = nil) -> Any { self }

  /// Returns whether both have equal condition trees.
  override func isEqual(_ object: Any?) -> Bool {
    (object as? SamplePredicate)?.condition == condition
  }

  /// A hash of the tree.
  override var hash: Int { condition.hashValue }
}

extension SamplePredicate {
  /// Returns a predicate for the result of `make`, or traps with the error's description where
  /// HealthKit raises an exception.
  static func orTrap(
    _ make: () throws(HKPredicateFormatError) -> SampleCondition
  ) -> SamplePredicate {
    do {
      return SamplePredicate(try make())
    } catch {
      fatalError(error.description)
    }
  }
}

extension NSPredicate {
  /// Returns whether an `HKObject`, `HKSource` or `HKActivitySummary` satisfies the predicate.
  ///
  /// This is an addition for predicates from untrusted sources: it throws where `evaluate(with:)`
  /// traps.
  ///
  /// - Parameter object: The object to evaluate.
  /// - Returns: Whether the object satisfies the predicate.
  /// - Throws: ``HKPredicateFormatError`` if matching a regular expression takes too many steps.
  public func healthEvaluate(with object: Any?) throws -> Bool {
    let failure = PredicateFailure()
    let isAdmitted = PredicateFailure.$current.withValue(failure) { evaluate(with: object) }
    try failure.check()
    return isAdmitted
  }
}
