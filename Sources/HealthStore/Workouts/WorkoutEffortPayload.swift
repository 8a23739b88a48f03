import Foundation
import SampleLog

/// The payload of a workout's child row: a sample rates the effort of the workout or of one of its
/// activities.
package struct WorkoutEffortPayload: ChildPayload, Hashable {
  package static let kind: UInt64 = 20
  package static let childType = "effort"
  private static let version: UInt8 = 1

  var sample: Member
  /// The rated activity, or nil for the complete workout.
  var activity: Identifier?

  package var members: [Member] { [sample] }

  package var encoded: [UInt8] {
    var writer = ByteWriter()
    writer.byte(Self.version)
    writer.member(sample)
    writer.optional(activity) { $0.fixed($1) }
    return writer.bytes
  }

  package init?(_ bytes: UnsafeRawBufferPointer) {
    var reader = ByteReader(bytes)
    guard reader.byte() == Self.version, let sample = reader.member(),
      let activity = reader.optional({ $0.identifier() }), reader.isAtEnd
    else { return nil }
    self.sample = sample
    self.activity = activity
  }

  init(_ sample: Member, _ activity: UUID?) {
    self.sample = sample
    self.activity = activity.map { Identifier($0) }
  }

  /// The series type of these child rows.
  static let type = ChildType.name(childType, of: HKObjectType.workoutType().identifier)

  /// The types of samples that rate effort; ratings by the subject precede estimates.
  package static let sampleTypes = [
    HKQuantityType(.workoutEffortScore), HKQuantityType(.estimatedWorkoutEffortScore),
  ]
}

/// The scope of effort ratings: a workout, an activity, or any.
struct EffortParent: Hashable, Sendable {
  var workout: UUID?
  var activity: UUID?

  /// Returns whether a child row is in scope.
  func admits(_ payload: WorkoutEffortPayload) -> Bool {
    activity.map { payload.activity == Identifier($0) } ?? true
  }
}
