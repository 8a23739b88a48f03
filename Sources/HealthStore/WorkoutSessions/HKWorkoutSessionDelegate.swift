public import Foundation

/// Receives what happens in a workout session, call by call in order, on background threads.
public protocol HKWorkoutSessionDelegate: NSObjectProtocol {
  /// The state has changed.
  func workoutSession(
    _ workoutSession: HKWorkoutSession, didChangeTo toState: HKWorkoutSessionState,
    from fromState: HKWorkoutSessionState, date: Date)

  /// Something failed: a change that the state does not allow, which leaves it as it is, or another
  /// session of the device began, before which this one has ended.
  func workoutSession(_ workoutSession: HKWorkoutSession, didFailWithError error: any Error)

  /// An event happened, such as a pause; after the change of state that it comes with.
  func workoutSession(_ workoutSession: HKWorkoutSession, didGenerate event: HKWorkoutEvent)

  /// An activity began.
  func workoutSession(
    _ workoutSession: HKWorkoutSession,
    didBeginActivityWith workoutConfiguration: HKWorkoutConfiguration, date: Date)

  /// An activity ended.
  func workoutSession(
    _ workoutSession: HKWorkoutSession,
    didEndActivityWith workoutConfiguration: HKWorkoutConfiguration, date: Date)

  /// Data came from a mirrored session; never called here.
  func workoutSession(
    _ workoutSession: HKWorkoutSession, didReceiveDataFromRemoteWorkoutSession data: [Data])

  /// A mirrored session was cut off; never called here.
  func workoutSession(
    _ workoutSession: HKWorkoutSession,
    didDisconnectFromRemoteDeviceWithError error: (any Error)?)
}

// What is optional in Objective-C.
extension HKWorkoutSessionDelegate {
  /// Does nothing.
  public func workoutSession(
    _ workoutSession: HKWorkoutSession, didGenerate event: HKWorkoutEvent
  ) {}

  /// Does nothing.
  public func workoutSession(
    _ workoutSession: HKWorkoutSession,
    didBeginActivityWith workoutConfiguration: HKWorkoutConfiguration, date: Date
  ) {}

  /// Does nothing.
  public func workoutSession(
    _ workoutSession: HKWorkoutSession,
    didEndActivityWith workoutConfiguration: HKWorkoutConfiguration, date: Date
  ) {}

  /// Does nothing.
  public func workoutSession(
    _ workoutSession: HKWorkoutSession, didReceiveDataFromRemoteWorkoutSession data: [Data]
  ) {}

  /// Does nothing.
  public func workoutSession(
    _ workoutSession: HKWorkoutSession,
    didDisconnectFromRemoteDeviceWithError error: (any Error)?
  ) {}
}
