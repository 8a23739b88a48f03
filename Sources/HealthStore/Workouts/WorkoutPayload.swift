import Foundation
import SampleLog

/// The payload of a workout's row.
package struct WorkoutPayload: SamplePayload {
  package static let kind: UInt64 = 2
  private static let version: UInt8 = 1

  var activityType: HKWorkoutActivityType
  /// The duration in seconds, without pauses.
  var duration: TimeInterval
  var totals = WorkoutTotals()
  /// The events by date, or nil if none were given.
  var events: [HKWorkoutEvent]?
  /// The activities, at least one.
  var activities: [HKWorkoutActivity]
  /// The statistics of the samples that belong to the workout, or an imported summary.
  var statistics: [WorkoutStatistic] = []

  /// The activity type, in the value column so that queries for an activity type skip blocks.
  package var rowValue: Double { Double(activityType.rawValue) }

  package var encoded: [UInt8] {
    var writer = ByteWriter()
    writer.byte(Self.version)
    writer.varint(UInt64(activityType.rawValue))
    writer.fixed(duration)
    for path in WorkoutTotals.paths { writer.optional(totals[keyPath: path]) { $0.quantity($1) } }
    writer.optional(events) { writer, events in
      writer.list(events) { $1.write(to: &$0) }
    }
    writer.list(activities) { $1.write(to: &$0) }
    writer.list(statistics) { $1.write(to: &$0) }
    return writer.bytes
  }

  package init?(_ bytes: UnsafeRawBufferPointer) {
    var reader = ByteReader(bytes)
    guard reader.byte() == Self.version, let type = reader.activityType(),
      let duration = reader.finite()
    else { return nil }
    for (path, unit) in zip(WorkoutTotals.paths, WorkoutTotals.units) {
      guard let total = reader.optional({ $0.quantity() }),
        total?.is(compatibleWith: unit) != false
      else { return nil }
      totals[keyPath: path] = total
    }
    guard let events = reader.optional({ $0.list(HKWorkoutEvent.read) }),
      let activities = reader.list(HKWorkoutActivity.read), !activities.isEmpty,
      let statistics = reader.list(WorkoutStatistic.read), reader.isAtEnd
    else { return nil }
    activityType = type
    self.duration = duration
    self.events = events
    self.activities = activities
    self.statistics = statistics
  }

  /// Creates a payload.
  ///
  /// A nil duration is computed from the dates and pauses. Without activities, a single one covers
  /// the complete workout.
  init(
    _ configuration: WorkoutConfigurationValues, start: Date, end: Date,
    duration: TimeInterval? = nil, events: [HKWorkoutEvent]? = nil,
    activities: [HKWorkoutActivity] = [], totals: WorkoutTotals = WorkoutTotals(),
    statistics: [WorkoutStatistic] = []
  ) {
    activityType = configuration.activityType
    let sorted = events?.sorted { $0.date < $1.date }
    self.events = sorted
    self.duration =
      duration ?? WorkoutPauses(sorted ?? []).activeTime(from: start, to: end)
    self.totals = totals
    self.statistics = statistics
    self.activities =
      activities.isEmpty
      ? [
        HKWorkoutActivity(
          uuid: IdentifierSource.next(), configuration: configuration, start: start, end: end,
          checked: nil, statistics: statistics)
      ] : activities
  }

  package func check(
    _ type: HKSampleType, start: Date, end: Date
  ) throws(HKInvalidSampleError) {
    func require(_ isGood: Bool, _ reason: String) throws(HKInvalidSampleError) {
      if !isGood { throw .invalidContents(type: type.identifier, reason: reason) }
    }
    try require(
      duration.isFinite && duration >= 0, "its duration must be a number of seconds from 0 on.")
    for (path, unit) in zip(WorkoutTotals.paths, WorkoutTotals.units) {
      guard let total = totals[keyPath: path] else { continue }
      try require(
        total.value.isFinite && total.is(compatibleWith: unit),
        "a total must be finite and in a unit like \(unit.unitString), not \(total).")
    }
    for activity in activities {
      try require(
        activity.startDate >= start && activity.endDate.map { $0 <= end } ?? true,
        "its activities must lie between its start and its end.")
    }
  }

  /// Inherits the samples of the replaced version, and its statistics unless this version has its
  /// own.
  package mutating func inherit(
    from old: Row, in snapshot: Snapshot
  ) throws -> [any ChildPayload] {
    let isTakenOver = statistics.isEmpty
    if isTakenOver {
      var before = try snapshot.payload(WorkoutPayload.self, of: old)
      for addition in try snapshot.payloads(WorkoutAdditionPayload.self, of: old) {
        before.add(addition)
      }
      statistics = before.statistics
      if activities.count == 1, before.activities.count == 1 {
        activities[0] = activities[0].with(statistics: before.activities[0].statistics)
      }
    }
    let links = try snapshot.payloads(WorkoutLinksPayload.self, of: old)
    // Ratings are kept for activities whose identifier is unchanged.
    let ids = Set(activities.map { Identifier($0.uuid) })
    let efforts = try snapshot.payloads(WorkoutEffortPayload.self, of: old).filter {
      $0.activity.map(ids.contains) ?? true
    }
    let children: [any ChildPayload] = links + efforts
    // A version's own statistics do not cover the inherited samples.
    let isWhole = isTakenOver || links.isEmpty
    if isWhole, try snapshot.row(WorkoutRecountPayload.identifier(of: old.id)) == nil {
      return children
    }
    return children + [WorkoutRecountPayload()]
  }

  /// Adds the statistics of samples that were added to the workout after it was saved.
  mutating func add(_ addition: WorkoutAdditionPayload) {
    add(
      addition.statistics,
      Dictionary(addition.activities.map { ($0.id.uuid, $0.statistics) }) { $1 })
  }

  private mutating func add(
    _ statistics: [WorkoutStatistic], _ byActivity: [UUID: [WorkoutStatistic]]
  ) {
    self.statistics = WorkoutStatistic.joined(self.statistics, statistics)
    activities = activities.map { activity in
      guard let more = byActivity[activity.uuid] else { return activity }
      return activity.with(statistics: WorkoutStatistic.joined(activity.statistics, more))
    }
  }
}

/// The totals that a workout was saved with.
///
/// Samples added later do not change them.
struct WorkoutTotals: Sendable {
  var energyBurned: HKQuantity?
  var distance: HKQuantity?
  var swimmingStrokeCount: HKQuantity?
  var flightsClimbed: HKQuantity?

  // Key paths without captured values are immutable.
  nonisolated(unsafe) static let paths: [WritableKeyPath<WorkoutTotals, HKQuantity?>] = [
    \.energyBurned, \.distance, \.swimmingStrokeCount, \.flightsClimbed,
  ]
  static let units: [HKUnit] = [.joule(), .meter(), .count(), .count()]
}
