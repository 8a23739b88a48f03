import SampleLog

extension Snapshot {
  /// Returns the live samples that rate a workout, or an activity of it, each once.
  ///
  /// - Throws: ``StoreError/damaged(file:offset:reason:)`` when one cannot be read.
  func efforts(of workout: Row) throws -> [(row: Row, activity: Identifier?)] {
    var seen: Set<[Identifier?]> = []
    return try payloads(WorkoutEffortPayload.self, of: workout).compactMap { effort in
      guard let row = try row(of: effort.sample, subject: workout.subject),
        seen.insert([row.id, effort.activity]).inserted
      else { return nil }
      return (row, effort.activity)
    }
  }
}
