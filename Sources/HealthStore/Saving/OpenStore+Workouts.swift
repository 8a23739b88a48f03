import Foundation
import SampleLog

// Commits that save samples and link them to workouts.
extension OpenStore {
  /// Saves the samples that the store does not have yet, atomically.
  func saveNew(
    _ samples: [HKSample], subject: String, policy: AuthorizationPolicy? = nil
  ) throws {
    try checkWritable()
    try policy?.checkSharing(samples)
    let subjectSymbol = database.symbols.intern(subject)
    try write(subject: subject, policy: policy) { writer, snapshot in
      try writer.add(try absent(samples, subjectSymbol, snapshot))
    }
  }

  /// Returns the samples that the store does not have.
  ///
  /// - Throws: `errorInvalidArgument` if a sample exists under another subject.
  func absent(
    _ samples: [HKSample], _ subject: Symbol, _ snapshot: Snapshot
  ) throws -> [HKSample] {
    try samples.filter { sample in
      guard let row = try snapshot.row(Identifier(sample.uuid)) else { return true }
      guard row.subject == subject else {
        throw HKError.make(
          .errorInvalidArgument,
          "The store has the sample \(sample.uuid) as another subject's; save a new one.")
      }
      return false
    }
  }

  /// Saves the samples that the store does not have and links all of them to a workout,
  /// atomically.
  func add(
    _ samples: [HKSample], to workout: HKWorkout, subject: String,
    policy: AuthorizationPolicy? = nil
  ) throws {
    try checkWritable()
    try policy?.checkSharing(samples)
    let id = Identifier(workout.uuid)
    let subjectSymbol = database.symbols.intern(subject)
    try write(subject: subject, policy: policy) { writer, snapshot in
      let row = try workoutRow(workout, subjectSymbol, snapshot)
      let before = try snapshot.payloads(WorkoutLinksPayload.self, of: row)
      var known = Set(before.flatMap { $0.members.map(\.id) })
      let new = samples.filter { known.insert(Identifier($0.uuid)).inserted }
      if new.isEmpty { return }
      try writer.add(try absent(new, subjectSymbol, snapshot))
      let links = WorkoutLinksPayload.all(new, revision: writer.revision)
      var rows: [any ChildPayload] = links
      let mark = WorkoutRecountPayload.identifier(of: id)
      let isMarked = try snapshot.row(mark) != nil
      if try !writer.depend(on: links), !isMarked { rows.append(WorkoutRecountPayload()) }
      let payload = try snapshot.payload(WorkoutPayload.self, of: row)
      let addition = try WorkoutAdditionPayload(
        new, of: payload.activities, SampleValues(snapshot))
      if !addition.statistics.isEmpty { rows.append(addition) }
      for one in rows {
        writer.add(
          one, as: one is WorkoutRecountPayload ? mark : Identifier(), value: Double(snapshot.end),
          parent: id, of: HKObjectType.workoutType().identifier,
          start: Date(timeIntervalSinceReferenceDate: row.block.start[row.row]),
          end: Date(timeIntervalSinceReferenceDate: row.block.end[row.row]))
      }
    }
  }

  /// Returns the row of a workout.
  ///
  /// - Throws: `errorInvalidArgument` if the subject has no such workout.
  func workoutRow(
    _ workout: HKWorkout, _ subject: Symbol, _ snapshot: Snapshot
  ) throws -> Row {
    guard let row = try snapshot.row(Identifier(workout.uuid)), row.subject == subject,
      reader.type(of: row) is HKWorkoutType
    else {
      throw HKError.make(
        .errorInvalidArgument,
        "The workout \(workout.uuid) is not in the store; save it before samples are added to it.")
    }
    return row
  }
}
