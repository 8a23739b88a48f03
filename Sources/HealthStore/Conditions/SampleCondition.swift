import Foundation

/// The meaning of a predicate on samples, as a tree for the query planner.
///
/// Immutable. Two conditions are equal if their trees are equal.
///
/// `@unchecked Sendable` because of `opaque`: a query passes its predicate to another thread, as
/// HealthKit programs expect.
indirect enum SampleCondition: Hashable, @unchecked Sendable {
  case always
  case never
  case startDate(Relation, Date)
  case endDate(Relation, Date)
  /// Compares after conversion; incompatible units never match, regardless of the relation.
  case quantity(Relation, HKQuantity)
  /// Compares a category sample's value; other samples never match.
  case categoryValue(Relation, Int)
  case uuid(Set<UUID>)
  case source(Set<HKSource>)
  /// Matches according to `HKSourceRevision.admits`.
  case sourceRevision(Set<HKSourceRevision>)
  /// A nil element matches objects without a device.
  case device(Set<HKDevice?>)
  case text(TextField, ValueTest)
  case metadata(String, ValueTest)
  /// Matches samples that a correlation contains.
  case correlated
  /// Compares a property of a quantity sample's values; other samples never match.
  case series(SeriesField, ValueTest)
  /// Compares the day of an activity summary; other objects never match.
  case day(Relation, CalendarDay)
  /// Compares a property of one sample kind; others never match.
  case record(RecordField, ValueTest)
  /// Matches samples that belong to the workout with an identifier, or to any workout if nil.
  ///
  /// Membership is stored in the store, so a plan replaces this condition by identifiers. An object
  /// alone never matches.
  case workout(UUID?)
  /// Matches samples that rate the effort of a workout or activity, or of any if nil. As for
  /// `workout`, only the store can resolve it.
  case effort(EffortParent?)
  /// Compares a property of certain sample kinds; others never match.
  case workoutProperty(WorkoutProperty, ValueTest)
  /// Matches workouts that have an activity that satisfies the condition.
  case workoutActivity(SampleCondition)
  case all([SampleCondition])
  case any([SampleCondition])
  case not(SampleCondition)
  case opaque(OpaquePredicate)
}

/// A predicate that can only be evaluated, not analysed.
///
/// Equal only to itself, because on Linux Foundation considers any two compound predicates equal.
struct OpaquePredicate: Hashable, @unchecked Sendable {
  let predicate: NSPredicate

  /// Returns whether an object satisfies the predicate.
  ///
  /// - Throws: Errors that a nested ``SamplePredicate`` recorded during evaluation.
  func matches(_ object: NSObject) throws -> Bool {
    let failure = PredicateFailure()
    let isAdmitted = PredicateFailure.$current.withValue(failure) {
      predicate.evaluate(with: object)
    }
    try failure.check()
    return isAdmitted
  }

  static func == (left: OpaquePredicate, right: OpaquePredicate) -> Bool {
    left.predicate === right.predicate
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(predicate))
  }
}
