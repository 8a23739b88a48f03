import SampleLog

extension Snapshot {
  /// Returns the distinct live samples that rate a workout or one of its activities.
  ///
  /// - Throws: ``StoreError/damaged(file:offset:reason:)`` if one cannot be read.
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
