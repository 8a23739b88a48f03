public import Foundation

/// Gives `HKWorkout` initialisers that its subclasses have as well.
///
/// Only `HKWorkout` and its subclasses conform. HealthKit has deprecated all of them for
/// `HKWorkoutBuilder`; programs use them widely.
public protocol HKWorkoutConstruction {}

extension HKWorkoutConstruction where Self: HKWorkout {
  /// Makes a workout without events, totals and metadata.
  ///
  /// Traps where `validated` throws.
  public init(
    activityType workoutActivityType: HKWorkoutActivityType,
    start startDate: Date,
    end endDate: Date
  ) {
    self = Self.make(
      workoutActivityType, startDate, endDate)
  }

  /// Makes a workout with events, two totals and metadata.
  ///
  /// Traps where `validated` throws.
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

  /// Makes a workout with events, two totals, a device and metadata.
  ///
  /// Traps where `validated` throws.
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

  /// Makes a workout with a duration of its own, two totals and metadata.
  ///
  /// Traps where `validated` throws.
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

  /// Makes a workout with a duration of its own, two totals, a device and metadata.
  ///
  /// Traps where `validated` throws.
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

  /// Makes a workout with events, three totals, a device and metadata.
  ///
  /// Traps where `validated` throws.
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

  /// Makes a workout with events, three totals, a device and metadata.
  ///
  /// Traps where `validated` throws.
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
  /// Makes a workout, or throws where the initialisers trap.
  ///
  /// Our addition, for data from outside: the error says what is wrong with the arguments.
  ///
  /// - Parameters:
  ///   - activityType: What was done.
  ///   - start: When it began.
  ///   - end: When it ended; not before the start.
  ///   - duration: In seconds, 0 or more; nil means from start to end without pauses.
  ///   - workoutEvents: What happened meanwhile, in any order.
  ///   - totalEnergyBurned: An energy.
  ///   - totalDistance: A length.
  ///   - totalSwimmingStrokeCount: A count.
  ///   - totalFlightsClimbed: A count.
  ///   - device: What recorded it.
  ///   - metadata: Further facts.
  ///   - sourceRevision: Who recorded it when that is not the running program.
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
  /// A new workout; throws when there can be none with these fields.
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
