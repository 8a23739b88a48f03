public import Foundation

/// The samples that rate the effort of a workout or of one of its activities.
///
/// Only queries create relationships. Immutable and safe to share between threads. Two
/// relationships are equal if workout, activity and samples are equal.
open class HKWorkoutEffortRelationship: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
  /// The workout.
  public let workout: HKWorkout

  /// The activity that is rated, or nil for the complete workout.
  public let activity: HKWorkoutActivity?

  /// The samples in ascending order of date, or nil after the last one was deleted.
  public let samples: [HKSample]?

  init(_ workout: HKWorkout, _ activity: HKWorkoutActivity?, _ samples: [HKSample]?) {
    self.workout = workout
    self.activity = activity
    self.samples = samples
    super.init()
  }

  /// Decodes an archived relationship; returns nil if it has no workout.
  public required convenience init?(coder: NSCoder) {
    guard let workout = coder.decodeObject(HKWorkout.self, "workout") else { return nil }
    let samples = coder.decodeObject(
      of: [NSArray.self, HKQuantitySample.self, HKDiscreteQuantitySample.self], forKey: "samples")
    self.init(
      workout, coder.decodeObject(HKWorkoutActivity.self, "activity"), samples as? [HKSample])
  }

  /// Encodes workout, activity and samples.
  open func encode(with coder: NSCoder) {
    coder.encode(workout, forKey: "workout")
    if let activity { coder.encode(activity, forKey: "activity") }
    if let samples { coder.encode(samples as NSArray, forKey: "samples") }
  }

  /// Whether the class supports secure coding; always true.
  open class var supportsSecureCoding: Bool { true }

  /// Returns the same object, because relationships are immutable.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// Returns whether both relate the same samples to the same workout and activity.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? HKWorkoutEffortRelationship else { return false }
    return workout == other.workout && activity == other.activity && samples == other.samples
  }

  /// A hash of the workout.
  open override var hash: Int { workout.hash }
}
