/// A workout.
///
/// Declared so that queries and predicates for workouts compile. This version saves none, no
/// program can make one, and queries return none.
open class HKWorkout: HKSample, @unchecked Sendable {
  override class func accepts(_ sample: BuiltSample) -> Bool { false }
}
