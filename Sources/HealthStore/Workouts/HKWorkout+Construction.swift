public import Foundation

/// Initialisers of `HKWorkout` that its subclasses inherit.
///
/// Only `HKWorkout` and its subclasses conform. HealthKit deprecates all of these initialisers in
/// favour of `HKWorkoutBuilder`, but programs use them widely.
public protocol HKWorkoutConstruction {}

extension HKWorkoutConstruction where Self: HKWorkout {
  /// Creates a workout without events, totals and metadata.
  ///
  /// Traps if `validated` would throw.
  public init(
    activityType workoutActivityType: HKWorkoutActivityType,
    start startDate: Date,
    end endDate: Date
  ) {
    self = Self.make(
      workoutActivityType, startDate, endDate)
  }

  /// Creates a workout with events, two totals and metadata.
  ///
  /// Traps if `validated` would throw.
  public init(
    activityType workoutActivityType: HKWorkoutActivityType,
    start startDate: Date,
    end endDate: Date,
    workoutEvents: [HKWorkoutEvent]?,
    totalEnergyBurned: HKQuantity?,
    totalDistance: HKQuantity?,
    metadata: [String: Any]?
  ) {
    self = Self.make(
      workoutActivityType, startDate, endDate, events: workoutEvents,
      totals: WorkoutTotals(energyBurned: totalEnergyBurned, distance: totalDistance),
      metadata: metadata)
  }

  /// Creates a workout with events, two totals, a device and metadata.
  ///
  /// Traps if `validated` would throw.
  public init(
    activityType workoutActivityType: HKWorkoutActivityType,
    start startDate: Date,
    end endDate: Date,
    workoutEvents: [HKWorkoutEvent]?,
    totalEnergyBurned: HKQuantity?,
    totalDistance: HKQuantity?,
    device: HKDevice?,
    metadata: [String: Any]?
  ) {
    self = Self.make(
      workoutActivityType, startDate, endDate, events: workoutEvents,
      totals: WorkoutTotals(energyBurned: totalEnergyBurned, distance: totalDistance),
      device: device, metadata: metadata)
  }

  /// Creates a workout with an explicit duration, two totals and metadata.
  ///
  /// Traps if `validated` would throw.
  public init(
    activityType workoutActivityType: HKWorkoutActivityType,
    start startDate: Date,
    end endDate: Date,
    duration: TimeInterval,
    totalEnergyBurned: HKQuantity?,
    totalDistance: HKQuantity?,
    metadata: [String: Any]?
  ) {
    self = Self.make(
      workoutActivityType, startDate, endDate, duration: duration,
      totals: WorkoutTotals(energyBurned: totalEnergyBurned, distance: totalDistance),
      metadata: metadata)
  }

  /// Creates a workout with an explicit duration, two totals, a device and metadata.
  ///
  /// Traps if `validated` would throw.
  public init(
    activityType workoutActivityType: HKWorkoutActivityType,
    start startDate: Date,
    end endDate: Date,
    duration: TimeInterval,
    totalEnergyBurned: HKQuantity?,
    totalDistance: HKQuantity?,
    device: HKDevice?,
    metadata: [String: Any]?
  ) {
    self = Self.make(
      workoutActivityType, startDate, endDate, duration: duration,
      totals: WorkoutTotals(energyBurned: totalEnergyBurned, distance: totalDistance),
      device: device, metadata: metadata)
  }

  /// Creates a workout with events, three totals, a device and metadata.
  ///
  /// Traps if `validated` would throw.
  public init(
    activityType workoutActivityType: HKWorkoutActivityType,
    start startDate: Date,
    end endDate: Date,
    workoutEvents: [HKWorkoutEvent]?,
    totalEnergyBurned: HKQuantity?,
    totalDistance: HKQuantity?,
    totalSwimmingStrokeCount: HKQuantity?,
    device: HKDevice?,
    metadata: [String: Any]?
  ) {
    self = Self.make(
      workoutActivityType, startDate, endDate, events: workoutEvents,
      totals: WorkoutTotals(
        energyBurned: totalEnergyBurned, distance: totalDistance,
        swimmingStrokeCount: totalSwimmingStrokeCount), device: device, metadata: metadata)
  }

  /// Creates a workout with events, three totals, a device and metadata.
  ///
  /// Traps if `validated` would throw.
  public init(
    activityType workoutActivityType: HKWorkoutActivityType,
    start startDate: Date,
    end endDate: Date,
    workoutEvents: [HKWorkoutEvent]?,
    totalEnergyBurned: HKQuantity?,
    totalDistance: HKQuantity?,
    totalFlightsClimbed: HKQuantity?,
    device: HKDevice?,
    metadata: [String: Any]?
  ) {
    self = Self.make(
      workoutActivityType, startDate, endDate, events: workoutEvents,
      totals: WorkoutTotals(
        energyBurned: totalEnergyBurned, distance: totalDistance,
        flightsClimbed: totalFlightsClimbed), device: device, metadata: metadata)
  }

  private static func make(
    _ activityType: HKWorkoutActivityType, _ start: Date, _ end: Date,
    duration: TimeInterval? = nil, events: [HKWorkoutEvent]? = nil,
    totals: WorkoutTotals = WorkoutTotals(), device: HKDevice? = nil,
    metadata: [String: Any]? = nil
  ) -> Self {
    let built = BuiltSample.orTrap { () throws(HKInvalidSampleError) in
      try BuiltSample(
        validatingWorkout: WorkoutConfigurationValues(activityType), start: start, end: end,
        duration: duration, events: events, totals: totals, device: device, metadata: metadata,
        sourceRevision: nil)
    }
    return assume(HKWorkout(built: built), built)
  }
}

extension HKWorkout {
  /// Returns a workout, or throws where the initialisers would trap.
  ///
  /// This is an addition for data from untrusted sources. The error describes the invalid argument.
  ///
  /// - Parameters:
  ///   - activityType: The type of activity.
  ///   - start: The start of the workout.
  ///   - end: The end of the workout, not before the start.
  ///   - duration: The duration in seconds, 0 or more; nil for the time from start to end without
  ///     pauses.
  ///   - workoutEvents: The events of the workout, in any order.
  ///   - totalEnergyBurned: An energy.
  ///   - totalDistance: A length.
  ///   - totalSwimmingStrokeCount: A count.
  ///   - totalFlightsClimbed: A count.
  ///   - device: The device that recorded the workout.
  ///   - metadata: The metadata of the workout.
  ///   - sourceRevision: The source of the workout, or nil for the running program.
  /// - Returns: The workout.
  /// - Throws: ``HKInvalidSampleError``.
  public static func validated(
    activityType: HKWorkoutActivityType,
    start: Date,
    end: Date,
    duration: TimeInterval? = nil,
    workoutEvents: [HKWorkoutEvent]? = nil,
    totalEnergyBurned: HKQuantity? = nil,
    totalDistance: HKQuantity? = nil,
    totalSwimmingStrokeCount: HKQuantity? = nil,
    totalFlightsClimbed: HKQuantity? = nil,
    device: HKDevice? = nil,
    metadata: [String: Any]? = nil,
    sourceRevision: HKSourceRevision? = nil
  ) throws(HKInvalidSampleError) -> HKWorkout {
    let totals = WorkoutTotals(
      energyBurned: totalEnergyBurned, distance: totalDistance,
      swimmingStrokeCount: totalSwimmingStrokeCount, flightsClimbed: totalFlightsClimbed)
    return HKWorkout(
      built: try BuiltSample(
        validatingWorkout: WorkoutConfigurationValues(activityType), start: start, end: end,
        duration: duration, events: workoutEvents, totals: totals, device: device,
        metadata: metadata, sourceRevision: sourceRevision))
  }
}

extension BuiltSample {
  /// Creates a workout, or throws if the fields are invalid.
  convenience init(
    validatingWorkout configuration: WorkoutConfigurationValues, start: Date, end: Date,
    duration: TimeInterval?, events: [HKWorkoutEvent]?, totals: WorkoutTotals, device: HKDevice?,
    metadata: [String: Any]?, sourceRevision: HKSourceRevision?
  ) throws(HKInvalidSampleError) {
    let payload = WorkoutPayload(
      configuration, start: start, end: end, duration: duration, events: events, totals: totals)
    try self.init(
      validating: .workoutType(), start: start, end: end, payload: payload, device: device,
      metadata: metadata, sourceRevision: sourceRevision)
  }
}
