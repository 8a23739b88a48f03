public import Foundation

/// The samples that rate the effort of a workout or of one of its activities.
///
/// Immutable and safe to share between threads. Queries make it. Equal when workout, activity and
/// samples are.
open class HKWorkoutEffortRelationship: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
  /// The workout.
  public let workout: HKWorkout

  /// The activity that is rated; nil for the workout as a whole.
  public let activity: HKWorkoutActivity?

  /// The samples, the latest last; nil when the last one is gone.
  public let samples: [HKSample]?

  init(_ workout: HKWorkout, _ activity: HKWorkoutActivity?, _ samples: [HKSample]?) {
    self.workout = workout
    self.activity = activity
    self.samples = samples
    super.init()
  }

  /// Reads a relationship from an archive; nil when it lacks a workout.
  public required convenience init?(coder: NSCoder) {
    guard let workout = coder.decodeObject(HKWorkout.self, "workout") else { return nil }
    let samples = coder.decodeObject(
      of: [NSArray.self, HKQuantitySample.self, HKDiscreteQuantitySample.self], forKey: "samples")
    self.init(
      workout, coder.decodeObject(HKWorkoutActivity.self, "activity"), samples as? [HKSample])
  }

  /// Archives workout, activity and samples.
  open func encode(with coder: NSCoder) {
    coder.encode(workout, forKey: "workout")
    if let activity { coder.encode(activity, forKey: "activity") }
    if let samples { coder.encode(samples as NSArray, forKey: "samples") }
  }

  /// Whether objects of this class can be read back securely, which they can.
  open class var supportsSecureCoding: Bool { true }

  /// Returns the relationship itself, which never changes.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// Whether both relate the same samples to the same workout and activity.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? HKWorkoutEffortRelationship else { return false }
    return workout == other.workout && activity == other.activity && samples == other.samples
  }

  /// A hash of the workout.
  open override var hash: Int { workout.hash }
}
