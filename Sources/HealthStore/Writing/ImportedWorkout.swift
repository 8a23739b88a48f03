package import Foundation
import SampleLog

/// A workout imported from another store, with a summary in place of samples.
package struct ImportedWorkout {
  /// The summary of one type's samples over a workout.
  ///
  /// Unknown values are nil.
  package struct Statistic {
    package var type: HKQuantityType
    /// The unit of all values.
    package var unit: HKUnit
    package var sum: Double?
    package var average: Double?
    package var minimum: Double?
    package var maximum: Double?

    package init(
      _ type: HKQuantityType, _ unit: HKUnit, sum: Double?, average: Double?, minimum: Double?,
      maximum: Double?
    ) {
      self.type = type
      self.unit = unit
      self.sum = sum
      self.average = average
      self.minimum = minimum
      self.maximum = maximum
    }

    fileprivate var stored: WorkoutStatistic {
      var values = StatisticsValues()
      values.sum = sum
      values.average = average
      values.minimum = minimum
      values.maximum = maximum
      // Weight 0, because the number of samples is unknown.
      return WorkoutStatistic(type: type, unit: unit, values: values, weight: 0)
    }
  }

  package let uuid: UUID
  package let start: Date
  package let end: Date
  package let activityType: HKWorkoutActivityType
  /// The duration in seconds without pauses, or nil to compute it from the events.
  package var duration: TimeInterval?
  /// The total, or nil to use the statistics; the same applies to the distance.
  package var energyBurned: HKQuantity?
  package var distance: HKQuantity?
  package var events: [HKWorkoutEvent] = []
  package var statistics: [Statistic] = []
  private var activities: [HKWorkoutActivity] = []

  package init(uuid: UUID, start: Date, end: Date, activityType: HKWorkoutActivityType) {
    self.uuid = uuid
    self.start = start
    self.end = end
    self.activityType = activityType
  }

  /// Adds an activity.
  ///
  /// Without an identifier, one is derived from the workout's.
  ///
  /// - Returns: The identifier.
  /// - Throws: ``HKInvalidSampleError`` if the dates or the metadata cannot be stored.
  package mutating func addActivity(
    _ uuid: UUID?, start: Date, end: Date?, metadata: [String: Any], statistics: [Statistic]
  ) throws(HKInvalidSampleError) -> UUID {
    let dates = [start, end ?? start].map(\.timeIntervalSinceReferenceDate)
    guard dates.allSatisfy(\.isFinite) else { throw .dateNotFinite(type: "HKWorkoutActivity") }
    guard dates[0] <= dates[1] else { throw .endBeforeStart(type: "HKWorkoutActivity") }
    let activity = HKWorkoutActivity(
      uuid: uuid ?? activityIdentifier(activities.count),
      configuration: WorkoutConfigurationValues(activityType), start: start, end: end,
      checked: metadata.isEmpty ? nil : try Metadata.normalized(metadata).values,
      statistics: Self.stored(statistics))
    activities.append(activity)
    return activity.uuid
  }

  private static func stored(_ statistics: [Statistic]) -> [WorkoutStatistic] {
    statistics.map(\.stored).sorted { $0.type.identifier < $1.type.identifier }
  }

  private func activityIdentifier(_ number: Int) -> UUID {
    Identifier(childOf: Identifier(uuid), type: "activity", number: UInt64(number)).uuid
  }

  /// The payload of the workout's row.
  package var payload: any SamplePayload {
    let configuration = WorkoutConfigurationValues(activityType)
    let statistics = Self.stored(statistics)
    let whole = HKWorkoutActivity(
      uuid: activityIdentifier(0), configuration: configuration, start: start, end: end,
      checked: nil, statistics: statistics)
    var totals = WorkoutTotals(statistics)
    if let energyBurned { totals.energyBurned = energyBurned }
    if let distance { totals.distance = distance }
    return WorkoutPayload(
      configuration, start: start, end: end, duration: duration,
      events: events.isEmpty ? nil : events, activities: activities.isEmpty ? [whole] : activities,
      totals: totals, statistics: statistics)
  }
}
