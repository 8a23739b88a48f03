public import Foundation

/// A predicate on samples that carries its meaning as a tree.
///
/// Equality and hash go by the tree. It evaluates on HealthKit objects, sources and
/// activity summaries; anything else does not satisfy it.
final class SamplePredicate: NSPredicate {
  let condition: SampleCondition

  init(_ condition: SampleCondition) {
    self.condition = condition
    super.init(value: true)
  }

  /// The tree in the words of a format string.
  override var predicateFormat: String { condition.description }

  /// The same as `predicateFormat`.
  override var description: String { condition.description }

  /// Whether the object, an `HKObject`, `HKSource` or `HKActivitySummary`, satisfies the condition.
  ///
  /// Traps when matching a regular expression takes too long, where Foundation raises an exception
  /// for one that it cannot match; `healthEvaluate(with:)` throws.
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

  /// Returns the predicate itself, which never changes.
  override func copy(with zone: NSZone? = nil) -> Any { self }

  /// Whether both have equal trees.
  override func isEqual(_ object: Any?) -> Bool {
    (object as? SamplePredicate)?.condition == condition
  }

  /// A hash of the tree.
  override var hash: Int { condition.hashValue }
}

extension NSPredicate {
  /// Whether an object, an `HKObject`, `HKSource` or `HKActivitySummary`, satisfies the predicate.
  ///
  /// Our addition beside `evaluate(with:)`, which traps where this throws, for predicates from
  /// outside.
  ///
  /// - Parameter object: What to evaluate the predicate on.
  /// - Returns: Whether it does.
  /// - Throws: ``HKPredicateFormatError`` when matching a regular expression takes too many steps.
  public func healthEvaluate(with object: Any?) throws -> Bool {
    let failure = PredicateFailure()
    let isAdmitted = PredicateFailure.$current.withValue(failure) { evaluate(with: object) }
    try failure.check()
    return isAdmitted
  }
}
