import Foundation

/// A predicate on samples that carries its meaning as a tree.
///
/// Equality and hash go by the tree. It evaluates on HealthKit objects and on sources; anything
/// else does not satisfy it.
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

  /// Whether the object, an `HKObject` or `HKSource`, satisfies the condition.
  override func evaluate(
    with object: Any?, substitutionVariables bindings: [String: Any]?
  ) -> Bool {
    switch object {
    case let object as HKObject: condition.matches(object)
    case let source as HKSource: condition.matches(source)
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
