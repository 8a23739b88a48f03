public import Foundation

/// A workout: its activity, dates, events and statistics.
///
/// Totals and dates are those the workout was saved with. Samples that are added later change only
/// its statistics.
open class HKWorkout: HKSample, HKWorkoutConstruction, @unchecked Sendable {
  private var contents: WorkoutPayload { payload(WorkoutPayload.self) }

  /// The type of activity.
  open var workoutActivityType: HKWorkoutActivityType { contents.activityType }

  /// The events of the workout by date, or nil if it was saved without events.
  open var workoutEvents: [HKWorkoutEvent]? { contents.events }

  /// The activities, at least one.
  ///
  /// A workout saved without activities has a single one that covers it completely.
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

  /// The duration in seconds: the time from start to end without pauses, unless another was saved.
  open var duration: TimeInterval { contents.duration }

  /// The total energy that the workout was saved with.
  open var totalEnergyBurned: HKQuantity? { contents.totals.energyBurned }

  /// The total distance that the workout was saved with.
  open var totalDistance: HKQuantity? { contents.totals.distance }

  /// The number of swimming strokes that the workout was saved with.
  open var totalSwimmingStrokeCount: HKQuantity? { contents.totals.swimmingStrokeCount }

  /// The number of flights of stairs that the workout was saved with.
  open var totalFlightsClimbed: HKQuantity? { contents.totals.flightsClimbed }

  /// The statistics of the quantity samples that belong to the workout, by type.
  ///
  /// Cumulative types have a sum, discrete types have average, minimum and maximum, and both have
  /// the most recent value. Samples of all sources add up. The statistics cover the samples that
  /// are in the store when the workout is read. An imported workout has its imported summary
  /// instead.
  open var allStatistics: [HKQuantityType: HKStatistics] {
    Dictionary(
      uniqueKeysWithValues: contents.statistics.map {
        ($0.type, $0.object(from: startDate, to: endDate))
      })
  }

  /// Returns the statistics of the workout's samples of a type, or nil if there are none.
  open func statistics(for quantityType: HKQuantityType) -> HKStatistics? {
    contents.statistics.first { $0.type == quantityType }?.object(from: startDate, to: endDate)
  }

  override class var payloadType: (any SamplePayload.Type)? { WorkoutPayload.self }

  override class func accepts(_ sample: BuiltSample) -> Bool {
    sample.payload is WorkoutPayload
  }
}
