public import Foundation

/// A workout: what was done, when, and what its samples say.
///
/// Its totals and dates are those it was saved with; samples that are added later change its
/// statistics only.
open class HKWorkout: HKSample, HKWorkoutConstruction, @unchecked Sendable {
  private var contents: WorkoutPayload { payload(WorkoutPayload.self) }

  /// What was done.
  open var workoutActivityType: HKWorkoutActivityType { contents.activityType }

  /// What happened meanwhile, by date; nil where it was saved without.
  open var workoutEvents: [HKWorkoutEvent]? { contents.events }

  /// The activities, one at least: one that takes all of the workout where none were given.
  open var workoutActivities: [HKWorkoutActivity] {
    let contents = contents
    let events = contents.events ?? []
    return contents.activities.map { activity in
      let end = activity.endDate ?? endDate
      return activity.with(
        events: events.filter {
          $0.dateInterval.end >= activity.startDate && $0.dateInterval.start <= end
        })
    }
  }

  /// The seconds from start to end without pauses, unless it was saved with another duration.
  open var duration: TimeInterval { contents.duration }

  /// The energy that it was saved with.
  open var totalEnergyBurned: HKQuantity? { contents.totals.energyBurned }

  /// The distance that it was saved with.
  open var totalDistance: HKQuantity? { contents.totals.distance }

  /// The strokes that it was saved with.
  open var totalSwimmingStrokeCount: HKQuantity? { contents.totals.swimmingStrokeCount }

  /// The flights of stairs that it was saved with.
  open var totalFlightsClimbed: HKQuantity? { contents.totals.flightsClimbed }

  /// The statistics of the quantity samples that belong to it, by type; empty when none do.
  ///
  /// Of cumulative types they have the sum, of discrete ones average, minimum and maximum, and of
  /// both the most recent value. All sources add up. They are of the samples that belong to it and
  /// are in the store when it is read. An imported workout has the summary that was imported
  /// instead.
  open var allStatistics: [HKQuantityType: HKStatistics] {
    Dictionary(
      uniqueKeysWithValues: contents.statistics.map {
        ($0.type, $0.object(from: startDate, to: endDate))
      })
  }

  /// The statistics of the samples of a type that belong to it; nil when none do.
  open func statistics(for quantityType: HKQuantityType) -> HKStatistics? {
    contents.statistics.first { $0.type == quantityType }?.object(from: startDate, to: endDate)
  }

  override class func accepts(_ sample: BuiltSample) -> Bool {
    sample.payload is WorkoutPayload
  }
}
