import Foundation

/// What a predicate on samples says, as a tree that a planner can take apart.
///
/// Immutable. Two conditions are equal when their trees are.
///
/// `@unchecked Sendable` for the sake of `opaque`: a query hands its predicate to another thread,
/// which HealthKit's users rely on.
indirect enum SampleCondition: Hashable, @unchecked Sendable {
  case always
  case never
  case startDate(Relation, Date)
  case endDate(Relation, Date)
  /// Compares after conversion; incompatible units never match, whatever the relation.
  case quantity(Relation, HKQuantity)
  /// Compares a category sample's value; other samples never match.
  case categoryValue(Relation, Int)
  case uuid(Set<UUID>)
  case source(Set<HKSource>)
  /// Matches as `HKSourceRevision.admits` says.
  case sourceRevision(Set<HKSourceRevision>)
  /// `nil` stands for objects without a device.
  case device(Set<HKDevice?>)
  case text(TextField, ValueTest)
  case metadata(String, ValueTest)
  /// Contained in a correlation.
  case correlated
  /// Compares a property of a quantity sample's values; other samples never match.
  case series(SeriesField, ValueTest)
  /// Compares the day of an activity summary; other objects never match.
  case day(Relation, CalendarDay)
  /// Compares a property of one family's objects; others never match.
  case record(RecordField, ValueTest)
  /// Belongs to the workout of that identifier, or to any for `nil`.
  ///
  /// Only a store knows, so a plan puts identifiers in its place; an object by itself never
  /// matches.
  case workout(UUID?)
  /// Rates the effort of a workout or activity, or of any for `nil`; as with `workout` only a store
  /// knows.
  case effort(EffortOwner?)
  /// Compares what only some families of objects have; others never match.
  case workoutProperty(WorkoutProperty, ValueTest)
  /// Is a workout with an activity that matches.
  case workoutActivity(SampleCondition)
  case all([SampleCondition])
  case any([SampleCondition])
  case not(SampleCondition)
  case opaque(OpaquePredicate)
}

/// A predicate that only its own evaluation can make sense of.
///
/// Equal to itself alone: Foundation calls any two compound predicates equal on Linux.
struct OpaquePredicate: Hashable, @unchecked Sendable {
  let predicate: NSPredicate

  /// Whether the predicate admits an object.
  ///
  /// - Throws: What a ``SamplePredicate`` inside it met and could not report.
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
