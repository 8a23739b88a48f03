public import Foundation

// Predicates on states of mind.
extension HKQuery {
  /// Returns a predicate that matches states of mind whose valence, from -1 to 1, satisfies the
  /// operator with `valence`.
  ///
  /// Traps unless the operator is one of the six relational operators.
  public class func predicateForStatesOfMind(
    withValence valence: Double, operatorType: HKComparisonOperator
  ) -> NSPredicate {
    comparing(.valence, operatorType, valence)
  }

  /// Returns a predicate that matches states of mind of a kind.
  public class func predicateForStatesOfMind(with kind: HKStateOfMind.Kind) -> NSPredicate {
    comparing(.stateOfMindKind, .equalTo, kind.rawValue)
  }

  /// Returns a predicate that matches states of mind with a label, possibly among others.
  public class func predicateForStatesOfMind(with label: HKStateOfMind.Label) -> NSPredicate {
    comparing(.stateOfMindLabel, .equalTo, label.rawValue)
  }

  /// Returns a predicate that matches states of mind with an association, possibly among others.
  public class func predicateForStatesOfMind(
    with association: HKStateOfMind.Association
  ) -> NSPredicate {
    comparing(.stateOfMindAssociation, .equalTo, association.rawValue)
  }
}

extension HKQuery {
  /// Returns a comparison of a property of one sample kind with a constant.
  final class func comparing(
    _ property: RecordField, _ operatorType: HKComparisonOperator, _ constant: Any
  ) -> NSPredicate {
    SamplePredicate.orTrap { () throws(HKPredicateFormatError) in
      try SampleCondition(
        .record(property), ConditionOperator(operatorType), ConditionConstant(constant))
    }
  }
}
