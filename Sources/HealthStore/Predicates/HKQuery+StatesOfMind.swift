public import Foundation

extension HKQuery {
  /// Admits states of mind whose valence, from -1 to 1, stands to `valence` as the operator says.
  ///
  /// Traps when the operator is not one of the six that compare order.
  public class func predicateForStatesOfMind(
    withValence valence: Double, operatorType: HKComparisonOperator
  ) -> NSPredicate {
    comparing(.valence, operatorType, valence)
  }

  /// Admits states of mind of a kind.
  public class func predicateForStatesOfMind(with kind: HKStateOfMind.Kind) -> NSPredicate {
    comparing(.stateOfMindKind, .equalTo, kind.rawValue)
  }

  /// Admits states of mind that have a label, whatever others they have.
  public class func predicateForStatesOfMind(with label: HKStateOfMind.Label) -> NSPredicate {
    comparing(.stateOfMindLabel, .equalTo, label.rawValue)
  }

  /// Admits states of mind that have an association, whatever others they have.
  public class func predicateForStatesOfMind(
    with association: HKStateOfMind.Association
  ) -> NSPredicate {
    comparing(.stateOfMindAssociation, .equalTo, association.rawValue)
  }
}

extension HKQuery {
  /// A comparison of a property of one family's objects with a constant.
  final class func comparing(
    _ property: RecordField, _ operatorType: HKComparisonOperator, _ constant: Any
  ) -> NSPredicate {
    SamplePredicate.orTrap { () throws(HKPredicateFormatError) in
      try SampleCondition(
        .record(property), ConditionOperator(operatorType), ConditionConstant(constant))
    }
  }
}
