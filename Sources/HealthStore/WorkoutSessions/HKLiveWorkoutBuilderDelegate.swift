public import Foundation

/// Receives what a live workout builder collects, call by call in order, on background threads.
public protocol HKLiveWorkoutBuilderDelegate: NSObjectProtocol {
  /// Samples of some types were added, by the device or the program.
  func workoutBuilder(
    _ workoutBuilder: HKLiveWorkoutBuilder, didCollectDataOf collectedTypes: Set<HKSampleType>)

  /// Events were added, by the session or the program.
  func workoutBuilderDidCollectEvent(_ workoutBuilder: HKLiveWorkoutBuilder)

  /// The session began an activity.
  func workoutBuilder(
    _ workoutBuilder: HKLiveWorkoutBuilder, didBegin workoutActivity: HKWorkoutActivity)

  /// The session ended an activity.
  func workoutBuilder(
    _ workoutBuilder: HKLiveWorkoutBuilder, didEnd workoutActivity: HKWorkoutActivity)
}

// What is optional in Objective-C.
extension HKLiveWorkoutBuilderDelegate {
  /// Does nothing.
  public func workoutBuilder(
    _ workoutBuilder: HKLiveWorkoutBuilder, didBegin workoutActivity: HKWorkoutActivity
  ) {}

  /// Does nothing.
  public func workoutBuilder(
    _ workoutBuilder: HKLiveWorkoutBuilder, didEnd workoutActivity: HKWorkoutActivity
  ) {}
}
