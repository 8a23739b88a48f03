import Foundation

// Evaluates conditions on workouts and their activities.
extension WorkoutProperty {
  /// Whether workouts have the property.
  var isOfWorkouts: Bool { WorkoutField(keyPath) != nil }

  /// Returns whether a workout's property passes a test; false if workouts do not have it.
  func matches(_ workout: HKWorkout, _ test: ValueTest) throws -> Bool {
    guard let field = WorkoutField(keyPath) else { return false }
    return try test.matches(field.value(of: workout))
  }

  /// Returns whether an activity's property passes a test; false if activities do not have it.
  func matches(_ activity: HKWorkoutActivity, _ test: ValueTest) throws -> Bool {
    switch keyPath {
    case HKPredicateKeyPathWorkoutActivityType:
      try test.matches(.unsigned(UInt64(activity.configuration.activityType.rawValue)))
    case HKPredicateKeyPathWorkoutActivityDuration: try test.matches(.double(activity.duration))
    case HKPredicateKeyPathWorkoutActivityStartDate: try test.matches(.date(activity.startDate))
    case HKPredicateKeyPathWorkoutActivityEndDate:
      try test.matches(activity.endDate.map(MetadataValue.date))
    default:
      if let statistic = StatisticField(keyPath, of: StatisticField.ofActivities) {
        try test.matches(statistic.value { activity.statistics(for: $0) })
      } else {
        false
      }
    }
  }
}

/// A property of workouts, by its key path.
private enum WorkoutField {
  case activityType
  case duration
  case total(KeyPath<HKWorkout, HKQuantity?>)
  case statistic(StatisticField)

  init?(_ keyPath: String) {
    switch keyPath {
    case HKPredicateKeyPathWorkoutType: self = .activityType
    case HKPredicateKeyPathWorkoutDuration: self = .duration
    case HKPredicateKeyPathWorkoutTotalDistance: self = .total(\.totalDistance)
    case HKPredicateKeyPathWorkoutTotalEnergyBurned: self = .total(\.totalEnergyBurned)
    case HKPredicateKeyPathWorkoutTotalSwimmingStrokeCount:
      self = .total(\.totalSwimmingStrokeCount)
    case HKPredicateKeyPathWorkoutTotalFlightsClimbed: self = .total(\.totalFlightsClimbed)
    default:
      guard let field = StatisticField(keyPath, of: StatisticField.ofWorkouts) else { return nil }
      self = .statistic(field)
    }
  }

  func value(of workout: HKWorkout) -> MetadataValue? {
    switch self {
    case .activityType: .unsigned(UInt64(workout.workoutActivityType.rawValue))
    case .duration: .double(workout.duration)
    case .total(let path): workout[keyPath: path].map(MetadataValue.quantity)
    case .statistic(let field): field.value { workout.statistics(for: $0) }
    }
  }
}

/// A statistic of one type for a workout or an activity.
private struct StatisticField {
  private let name: String
  private let type: HKQuantityType

  static let ofWorkouts = [
    HKPredicateKeyPathWorkoutSumQuantity, HKPredicateKeyPathWorkoutMinimumQuantity,
    HKPredicateKeyPathWorkoutMaximumQuantity, HKPredicateKeyPathWorkoutAverageQuantity,
  ]
  static let ofActivities = [
    HKPredicateKeyPathWorkoutActivitySumQuantity, HKPredicateKeyPathWorkoutActivityMinimumQuantity,
    HKPredicateKeyPathWorkoutActivityMaximumQuantity,
    HKPredicateKeyPathWorkoutActivityAverageQuantity,
  ]

  init?(_ keyPath: String, of names: [String]) {
    let parts = keyPath.split(separator: ".", maxSplits: 1)
    guard parts.count == 2, names.contains(String(parts[0])),
      let type = HKObjectType.make(identifier: String(parts[1])) as? HKQuantityType
    else { return nil }
    name = String(parts[0])
    self.type = type
  }

  func value(_ statistics: (HKQuantityType) -> HKStatistics?) -> MetadataValue? {
    guard let all = statistics(type) else { return nil }
    let value =
      switch name {
      case HKPredicateKeyPathWorkoutSumQuantity, HKPredicateKeyPathWorkoutActivitySumQuantity:
        all.sumQuantity()
      case HKPredicateKeyPathWorkoutMinimumQuantity,
        HKPredicateKeyPathWorkoutActivityMinimumQuantity:
        all.minimumQuantity()
      case HKPredicateKeyPathWorkoutMaximumQuantity,
        HKPredicateKeyPathWorkoutActivityMaximumQuantity:
        all.maximumQuantity()
      default: all.averageQuantity()
      }
    return value.map(MetadataValue.quantity)
  }
}

extension SampleCondition {
  /// Returns whether an activity satisfies the condition, which may refer to activities.
  func matches(_ activity: HKWorkoutActivity) throws -> Bool {
    switch self {
    case .always: true
    case .workoutProperty(let field, let test): try field.matches(activity, test)
    case .all(let conditions): try conditions.allSatisfy { try $0.matches(activity) }
    case .any(let conditions): try conditions.contains { try $0.matches(activity) }
    case .not(let condition): try !condition.matches(activity)
    case .opaque(let opaque): try opaque.matches(activity)
    default: false
    }
  }

  /// Whether the condition depends on workout membership.
  var asksForWorkout: Bool {
    switch self {
    case .workout, .effort: true
    case .all(let parts), .any(let parts): parts.contains { $0.asksForWorkout }
    case .not(let part): part.asksForWorkout
    default: false
    }
  }

  /// Returns the condition with workout membership and effort conditions replaced by the result of
  /// a function.
  func resolvingWorkouts(
    _ body: (SampleCondition) throws -> SampleCondition
  ) rethrows -> SampleCondition {
    switch self {
    case .workout, .effort: try body(self)
    case .all(let parts): .all(try parts.map { try $0.resolvingWorkouts(body) })
    case .any(let parts): .any(try parts.map { try $0.resolvingWorkouts(body) })
    case .not(let part): .not(try part.resolvingWorkouts(body))
    default: self
    }
  }
}
