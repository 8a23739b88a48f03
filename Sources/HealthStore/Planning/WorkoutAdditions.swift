import SampleLog

/// Completes the statistics of workouts with samples that were added later, or recomputes them if
/// samples were deleted.
enum WorkoutAdditions {
  /// Completes the rows that are workouts.
  ///
  /// - Parameters:
  ///   - rows: The rows, already validated.
  ///   - reader: The reader for their samples.
  ///   - snapshot: The snapshot of the rows.
  ///   - hasWorkouts: Returns whether any row is a workout. If not, the call has no effect.
  /// - Throws: ``StoreError/damaged(file:offset:reason:)`` if an addition cannot be read.
  /// - Complexity: Reads the additions to all workouts between the first and the last start, and
  ///   the samples of workouts that lost one.
  static func join(
    _ rows: some Collection<(StoredBlock?, Int32)>, _ reader: RowReader, in snapshot: Snapshot,
    ifAny hasWorkouts: () -> Bool
  ) throws {
    guard hasWorkouts() else { return }
    let name = ChildType.name(
      WorkoutAdditionPayload.childType, of: HKObjectType.workoutType().identifier)
    let type = snapshot.symbols.find(name)
    var bounds: [Symbol: Bounds] = [:]
    for case (let block?, let row) in rows where block.kind == .workout {
      let start = block.block.start[Int(row)]
      let subject = block.block.subject(at: Int(row))
      let known = bounds[subject] ?? Bounds(lower: start, upper: start)
      bounds[subject] = Bounds(
        lower: min(known.lower, start), upper: max(known.upper, start))
    }
    var additions: [Identifier: [WorkoutAdditionPayload]] = [:]
    var marked: Set<Identifier> = []
    for (subject, start) in bounds {
      marked.formUnion(try WorkoutRecount.marked(subject, start, in: snapshot))
      guard let type else { continue }
      var filter = RowFilter()
      filter.start = start
      let key = SeriesKey(subject: subject, type: type)
      for row in try snapshot.select([key], where: filter, order: .start(ascending: true)) {
        let extras = try snapshot.extras(of: row)
        guard let parent = extras.memberOf.first else { continue }
        additions[parent, default: []].append(
          try snapshot.payload(WorkoutAdditionPayload.self, of: row))
      }
    }
    if additions.isEmpty, marked.isEmpty { return }
    for case (let block?, let row) in rows where block.kind == .workout {
      let id = block.block.id[Int(row)]
      if marked.contains(id) {
        let workout = Row(block.block, Int(row))
        block.replace(try WorkoutRecount.payload(of: workout, reader, snapshot), at: row)
      } else if let found = additions[id] {
        block.join(found, at: row)
      }
    }
  }
}
