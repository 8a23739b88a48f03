import Foundation

/// A property of workouts or their activities.
///
/// Predicates may compare it with constants of its kind. Other objects never match.
struct WorkoutProperty: Hashable, Sendable {
  /// The kind of constant that the property is compared with.
  enum Kind: Hashable, Sendable {
    case number
    case text
    case date
    case quantity
    /// An object, by its identifier.
    case object
  }

  let keyPath: String
  let kind: Kind

  init(_ keyPath: String, _ kind: Kind) {
    self.keyPath = keyPath
    self.kind = kind
  }

  /// Creates the property for a key path.
  ///
  /// Key paths of statistics end with a dot and the identifier of a type.
  init?(keyPath: String) {
    if let kind = Self.kinds[keyPath] {
      self.init(keyPath, kind)
      return
    }
    let parts = keyPath.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, Self.statistics.contains(String(parts[0])),
      HKObjectType.make(identifier: String(parts[1])) is HKQuantityType
    else { return nil }
    self.init(keyPath, .quantity)
  }

  private static let statistics: Set<String> = [
    HKPredicateKeyPathWorkoutSumQuantity, HKPredicateKeyPathWorkoutMinimumQuantity,
    HKPredicateKeyPathWorkoutMaximumQuantity, HKPredicateKeyPathWorkoutAverageQuantity,
    HKPredicateKeyPathWorkoutActivitySumQuantity, HKPredicateKeyPathWorkoutActivityMinimumQuantity,
    HKPredicateKeyPathWorkoutActivityMaximumQuantity,
    HKPredicateKeyPathWorkoutActivityAverageQuantity,
  ]

  private static let kinds: [String: Kind] = {
    var kinds: [String: Kind] = [
      HKPredicateKeyPathWorkout: .object, HKPredicateKeyPathWorkoutEffortRelationship: .object,
      HKPredicateKeyPathWorkoutActivity: .object,
      HKPredicateKeyPathWorkoutType: .number, HKPredicateKeyPathWorkoutDuration: .number,
      HKPredicateKeyPathWorkoutTotalDistance: .quantity,
      HKPredicateKeyPathWorkoutTotalEnergyBurned: .quantity,
      HKPredicateKeyPathWorkoutTotalSwimmingStrokeCount: .quantity,
      HKPredicateKeyPathWorkoutTotalFlightsClimbed: .quantity,
      HKPredicateKeyPathWorkoutActivityType: .number,
      HKPredicateKeyPathWorkoutActivityDuration: .number,
      HKPredicateKeyPathWorkoutActivityStartDate: .date,
      HKPredicateKeyPathWorkoutActivityEndDate: .date,
    ]
    for statistic in statistics { kinds[statistic] = .quantity }
    return kinds
  }()

  /// Returns the constant in its form for comparison, or nil if its kind does not apply.
  func operand(_ constant: Any) -> MetadataValue? {
    switch kind {
    case .object: return (constant as? HKObject).map { .string($0.uuid.uuidString) }
    case .number, .text, .date, .quantity: break
    }
    guard let value = MetadataValue(constant) else { return nil }
    let isOfKind =
      switch value {
      case .string: kind == .text
      case .date: kind == .date
      case .quantity: kind == .quantity
      case .bool, .integer, .unsigned, .double: kind == .number
      }
    return isOfKind ? value : nil
  }
}
