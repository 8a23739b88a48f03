import Foundation
import SampleLog

// Commits that change the effort ratings of workouts.
extension OpenStore {
  /// Relates an effort rating to a workout or to one of its activities, and saves the rating if
  /// the store does not have it.
  func relate(
    _ sample: HKSample, with workout: HKWorkout, _ activity: HKWorkoutActivity?, subject: String,
    policy: AuthorizationPolicy? = nil
  ) throws {
    try checkWritable()
    try policy?.checkSharing([sample])
    guard WorkoutEffortPayload.sampleTypes.contains(where: { $0 == sample.sampleType }) else {
      throw HKError.make(
        .errorInvalidArgument,
        "A sample of \(sample.sampleType.identifier) does not rate an effort.")
    }
    let subjectSymbol = database.symbols.intern(subject)
    try write(subject: subject, policy: policy) { writer, snapshot in
      let row = try workoutRow(workout, subjectSymbol, snapshot)
      let payload = try snapshot.payload(WorkoutPayload.self, of: row)
      if let activity, !payload.activities.contains(activity) {
        throw HKError.make(
          .errorInvalidArgument, "The workout has no activity \(activity.uuid).")
      }
      let effort = WorkoutEffortPayload(
        Member(sample, revision: writer.revision), activity?.uuid)
      let known = try snapshot.payloads(WorkoutEffortPayload.self, of: row)
      if known.contains(where: { $0.relatesSame(as: effort) }) { return }
      try writer.add(try absent([sample], subjectSymbol, snapshot))
      writer.add(
        effort, as: Identifier(), value: Double(snapshot.end), parent: row.id,
        of: HKObjectType.workoutType().identifier,
        start: Date(timeIntervalSinceReferenceDate: row.block.start[row.row]),
        end: Date(timeIntervalSinceReferenceDate: row.block.end[row.row]))
    }
  }

  /// Removes the relation between an effort rating and a workout or one of its activities.
  func unrelate(
    _ sample: HKSample, from workout: HKWorkout, _ activity: HKWorkoutActivity?, subject: String,
    policy: AuthorizationPolicy? = nil
  ) throws {
    try checkWritable()
    try policy?.checkSharing([sample])
    let subjectSymbol = database.symbols.intern(subject)
    try write(subject: subject, policy: policy) { writer, snapshot in
      let row = try workoutRow(workout, subjectSymbol, snapshot)
      let effort = WorkoutEffortPayload(
        Member(sample, revision: writer.revision), activity?.uuid)
      let type = database.symbols.intern(WorkoutEffortPayload.type)
      let found = try snapshot.children(of: row, type: type).filter {
        try snapshot.payload(WorkoutEffortPayload.self, of: $0).relatesSame(as: effort)
      }
      if found.isEmpty {
        throw HKError.make(
          .errorInvalidArgument,
          "The sample \(sample.uuid) does not rate the workout \(workout.uuid).")
      }
      for one in found { writer.delete(one.id) }
    }
  }
}

extension WorkoutEffortPayload {
  /// Returns whether both relate the same sample, or versions of it, to the same activity.
  fileprivate func relatesSame(as other: WorkoutEffortPayload) -> Bool {
    let isSameName = sample.syncIdentifier == other.sample.syncIdentifier
    return activity == other.activity && sample.type == other.sample.type
      && (sample.id == other.sample.id || (isSameName && !sample.syncIdentifier.isEmpty))
  }
}
