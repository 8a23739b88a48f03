import Foundation
import SampleLog

// Queries for the effort ratings of workouts.
extension StoreReader {
  /// The effort ratings of a workout or of one activity.
  private struct Rating {
    var samples: [HKSample] = []
    /// Whether the ratings changed since the anchor.
    var hasChanged = false
  }

  private struct RatingKey: Hashable {
    var workout: Identifier
    var activity: Identifier?
  }

  /// The series that determine relationships.
  var effortSeries: [SeriesKey] {
    [key(WorkoutEffortPayload.type)] + WorkoutEffortPayload.sampleTypes.map { key($0.identifier) }
  }

  /// Returns relationships of matching workouts, and the anchor to resume from: those that changed
  /// since an anchor, or without an anchor all that have samples.
  ///
  /// - Complexity: Linear in the number of the subject's effort ratings.
  func effortRelationships(
    _ predicate: NSPredicate?, after anchor: HKQueryAnchor?,
    _ option: HKWorkoutEffortRelationshipQueryOptions
  ) throws -> (relationships: [HKWorkoutEffortRelationship], anchor: HKQueryAnchor) {
    try check()
    let snapshot = store.database.snapshot()
    let admitted = try SampleCondition(predicate)
    let wanted = try plan(
      WorkoutEffortPayload.sampleTypes.map { ($0, .effort(nil)) }, in: snapshot)
    let samples: [HKSample] = try self.samples(
      wanted, order: SampleOrder(), limit: 0, in: snapshot)
    let known = Dictionary(samples.map { (Identifier($0.uuid), $0) }) { $1 }
    let since = try anchor.map { try snapshot.check($0.anchor) }
    let changes = try EffortChanges(since, effortSeries, snapshot)
    var ratings: [RatingKey: Rating] = [:]
    for row in try snapshot.select([effortSeries[0]], order: .start(ascending: true)) {
      let effort = try snapshot.payload(WorkoutEffortPayload.self, of: row)
      guard let parent = try snapshot.extras(of: row).memberOf.first else { continue }
      let key = RatingKey(workout: parent, activity: effort.activity)
      var rating = ratings[key] ?? Rating()
      let sample = try snapshot.row(of: effort.sample, subject: row.subject)
      rating.hasChanged =
        rating.hasChanged || changes.contains(effort, row) || sample.map(changes.contains) ?? false
      // Two related versions of a sample resolve to the same live one.
      if let found = sample.flatMap({ known[$0.id] }), !rating.samples.contains(found) {
        rating.samples.append(found)
      }
      ratings[key] = rating
    }
    for workout in try changes.unrated(snapshot, key(HKObjectType.workoutType().identifier))
    where !ratings.keys.contains(where: { $0.workout == workout }) {
      ratings[RatingKey(workout: workout)] = Rating(hasChanged: true)
    }
    ratings = ratings.filter { anchor == nil ? !$1.samples.isEmpty : $1.hasChanged }
    return (
      try relationships(ratings, admitted, option, snapshot),
      HKQueryAnchor(store.database.anchor(at: snapshot.end))
    )
  }

  private func relationships(
    _ ratings: [RatingKey: Rating], _ admitted: SampleCondition,
    _ option: HKWorkoutEffortRelationshipQueryOptions, _ snapshot: Snapshot
  ) throws -> [HKWorkoutEffortRelationship] {
    let ids = Set(ratings.keys.map(\.workout.uuid))
    let condition = SampleCondition.all([.uuid(ids), admitted])
    let wanted = try plan([(HKObjectType.workoutType(), condition)], in: snapshot)
    let workouts: [HKWorkout] = try samples(
      wanted, order: SampleOrder(), limit: 0, in: snapshot)
    return workouts.flatMap { workout -> [HKWorkoutEffortRelationship] in
      let activities: [HKWorkoutActivity?] = [nil] + workout.workoutActivities
      return activities.compactMap { activity -> HKWorkoutEffortRelationship? in
        let key = RatingKey(
          workout: Identifier(workout.uuid), activity: activity.map { Identifier($0.uuid) })
        guard let rating = ratings[key] else { return nil }
        var samples = rating.samples.sorted { $0.endDate < $1.endDate }
        if option == .mostRelevant, let last = samples.last {
          // A rating by the subject takes precedence over an estimate.
          let rated = samples.last { $0.sampleType == WorkoutEffortPayload.sampleTypes[0] }
          samples = [rated ?? last]
        }
        return HKWorkoutEffortRelationship(workout, activity, samples.isEmpty ? nil : samples)
      }
    }
  }
}

/// The changes to effort ratings since an anchor.
private struct EffortChanges {
  private let sequence: UInt64
  private var gone: Set<Identifier> = []
  private var names: Set<[UInt8]> = []
  /// The dates of workouts that lost a rating row.
  private var dates: [(start: Double, end: Double)] = []

  /// Reads the deletions after an anchor; none without an anchor.
  init(_ anchor: Anchor?, _ series: [SeriesKey], _ snapshot: Snapshot) throws {
    sequence = anchor?.sequence ?? 0
    guard let anchor, anchor.sequence > 0 else { return }
    for change in try snapshot.changes(after: anchor, in: series).changes
    where change.kind == .deletion {
      let (block, row) = (change.row.block, change.row.row)
      if change.row.key == series[0] {
        dates.append((block.start[row], block.end[row]))
      } else {
        gone.insert(change.row.id)
        let extras = Extras(block.extras(at: row))
        if let name = extras?.syncIdentifier, !name.isEmpty { names.insert(name) }
      }
    }
  }

  func contains(_ row: Row) -> Bool { row.sequence > sequence }

  func contains(_ effort: WorkoutEffortPayload, _ row: Row) -> Bool {
    contains(row) || gone.contains(effort.sample.id) || names.contains(effort.sample.syncIdentifier)
      || dates.contains { $0.start == row.block.start[row.row] && $0.end == row.block.end[row.row] }
  }

  /// Returns the workouts that may have lost a rating.
  func unrated(_ snapshot: Snapshot, _ workouts: SeriesKey) throws -> [Identifier] {
    try dates.flatMap { dates in
      var filter = RowFilter()
      filter.start = Bounds(lower: dates.start, upper: dates.start)
      filter.end = Bounds(lower: dates.end, upper: dates.end)
      return try snapshot.select([workouts], where: filter).map(\.id)
    }
  }
}
