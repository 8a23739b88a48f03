import HealthKit
import Testing

/// Predicates for workouts and their activities.
@Suite struct WorkoutPredicateTests {
  private static let energy = HKQuantity(unit: .kilocalorie(), doubleValue: 100)
  private static let length = HKQuantity(unit: .mile(), doubleValue: 1)
  private static let many = HKQuantity(unit: .count(), doubleValue: 10)
  private static let active = HKQuantityType(.activeEnergyBurned)

  private static var activities: [NSPredicate] {
    [
      HKQuery.predicateForWorkoutActivities(workoutActivityType: .running),
      HKQuery.predicateForWorkoutActivities(operatorType: .greaterThan, duration: 60),
      HKQuery.predicateForWorkoutActivities(start: start, end: nil),
      HKQuery.predicateForWorkoutActivities(start: start, end: start, options: .strictStartDate),
      HKQuery.predicateForWorkoutActivities(start: start, end: start, options: .strictEndDate),
      HKQuery.predicateForWorkoutActivities(
        operatorType: .lessThan, quantityType: active, sumQuantity: energy),
      HKQuery.predicateForWorkoutActivities(
        operatorType: .lessThan, quantityType: active, minimumQuantity: energy),
      HKQuery.predicateForWorkoutActivities(
        operatorType: .lessThan, quantityType: active, maximumQuantity: energy),
      HKQuery.predicateForWorkoutActivities(
        operatorType: .lessThan, quantityType: active, averageQuantity: energy),
    ]
  }

  private static var workouts: [NSPredicate] {
    [
      HKQuery.predicateForWorkouts(with: .running),
      HKQuery.predicateForWorkouts(with: .walking),
      HKQuery.predicateForWorkouts(with: .greaterThan, duration: 60),
      HKQuery.predicateForWorkouts(with: .greaterThan, totalEnergyBurned: energy),
      HKQuery.predicateForWorkouts(with: .notEqualTo, totalDistance: length),
      HKQuery.predicateForWorkouts(with: .lessThan, totalSwimmingStrokeCount: many),
      HKQuery.predicateForWorkouts(with: .lessThan, totalFlightsClimbed: many),
      HKQuery.predicateForWorkouts(
        operatorType: .lessThan, quantityType: active, sumQuantity: energy),
      HKQuery.predicateForWorkouts(
        operatorType: .lessThan, quantityType: active, minimumQuantity: energy),
      HKQuery.predicateForWorkouts(
        operatorType: .lessThan, quantityType: active, maximumQuantity: energy),
      HKQuery.predicateForWorkouts(
        operatorType: .lessThan, quantityType: active, averageQuantity: energy),
      HKQuery.predicateForWorkouts(
        operatorType: .lessThan, quantityType: heartRate, averageQuantity: energy),
    ] + activities.map { HKQuery.predicateForWorkouts(activityPredicate: $0) }
  }

  @Test func `no sample satisfies a predicate for workouts or activities`() async throws {
    let store = HKHealthStore.inMemory()
    try await store.save([beat(60), walk(10)])
    for predicate in Self.workouts + Self.activities {
      let beats = try await store.samples(heartRate, predicate: predicate)
      #expect(beats.isEmpty, "\(predicate)")
      #expect(!predicate.evaluate(with: beat(60)))
    }
  }

  @Test func `predicates for workouts are equal if their conditions are equal`() {
    let same = [
      HKQuery.predicateForWorkouts(with: .running),
      HKQuery.predicateForWorkouts(
        activityPredicate: HKQuery.predicateForWorkoutActivities(workoutActivityType: .running)),
    ]
    for predicate in same { #expect(Self.workouts.count { $0 == predicate } == 1) }
    #expect(Set(Self.workouts).count == Self.workouts.count)
  }

  /// A run of half an hour with a pause, and a swim with two activities.
  private func makeWorkouts() async throws -> (
    store: HKHealthStore, run: HKWorkout, swim: HKWorkout
  ) {
    let store = HKHealthStore.inMemory()
    let run = HKWorkout(
      activityType: .running, start: start, end: start.addingTimeInterval(1800),
      workoutEvents: [
        HKWorkoutEvent(type: .pause, date: start),
        HKWorkoutEvent(type: .resume, date: start.addingTimeInterval(600)),
      ], totalEnergyBurned: Self.energy, totalDistance: Self.length, metadata: nil)
    try await store.save(run)
    try await store.addSamples([beat(80, 1), beat(120, 2)], to: run)
    let configuration = HKWorkoutConfiguration()
    configuration.activityType = .swimming
    let builder = HKWorkoutBuilder(healthStore: store, configuration: configuration, device: nil)
    try await builder.beginCollection(at: start)
    for offset in [0.0, 300] {
      try await builder.addWorkoutActivity(
        HKWorkoutActivity(
          workoutConfiguration: configuration, start: start.addingTimeInterval(offset),
          end: start.addingTimeInterval(offset + 100 + offset), metadata: nil))
    }
    try await builder.addSamples([
      HKQuantitySample(
        type: HKQuantityType(.swimmingStrokeCount), quantity: Self.many,
        start: start.addingTimeInterval(10), end: start.addingTimeInterval(20)),
      HKQuantitySample(
        type: Self.active, quantity: Self.energy, start: start.addingTimeInterval(350),
        end: start.addingTimeInterval(360)),
    ])
    try await builder.endCollection(at: start.addingTimeInterval(900))
    return (store, run, try #require(try await builder.finishWorkout()))
  }

  @Test func `predicates for workouts admit the matching ones`() async throws {
    let (store, run, swim) = try await makeWorkouts()
    func quantity(_ value: Double, _ unit: HKUnit) -> HKQuantity {
      HKQuantity(unit: unit, doubleValue: value)
    }
    let beats = { (value: Double) in quantity(value, beatsPerMinute) }
    let cases: [(predicate: NSPredicate, admitted: [HKWorkout])] = [
      (HKQuery.predicateForWorkouts(with: .running), [run]),
      (HKQuery.predicateForWorkouts(with: .swimming), [swim]),
      (HKQuery.predicateForWorkouts(with: .yoga), []),
      (HKQuery.predicateForWorkouts(with: .greaterThan, duration: 900), [run]),
      (HKQuery.predicateForWorkouts(with: .greaterThanOrEqualTo, duration: 900), [run, swim]),
      (HKQuery.predicateForWorkouts(with: .equalTo, duration: 1200), [run]),
      (
        HKQuery.predicateForWorkouts(
          with: .greaterThan, totalDistance: quantity(1.6, .meterUnit(with: .kilo))), [run]
      ),
      (
        HKQuery.predicateForWorkouts(
          with: .equalTo, totalEnergyBurned: quantity(100, .kilocalorie())), [run, swim]
      ),
      (HKQuery.predicateForWorkouts(with: .equalTo, totalSwimmingStrokeCount: Self.many), [swim]),
      (HKQuery.predicateForWorkouts(with: .lessThan, totalFlightsClimbed: Self.many), []),
      (
        HKQuery.predicateForWorkouts(
          operatorType: .equalTo, quantityType: heartRate, averageQuantity: beats(100)), [run]
      ),
      (
        HKQuery.predicateForWorkouts(
          operatorType: .lessThan, quantityType: heartRate, minimumQuantity: beats(80)), []
      ),
      (
        HKQuery.predicateForWorkouts(
          operatorType: .greaterThan, quantityType: heartRate, maximumQuantity: beats(119)), [run]
      ),
      (
        HKQuery.predicateForWorkouts(
          operatorType: .equalTo, quantityType: Self.active, sumQuantity: Self.energy), [swim]
      ),
    ]
    for (predicate, admitted) in cases {
      let found = try await store.samples(.workoutType(), predicate: predicate)
      #expect(Set(found) == Set(admitted), "\(predicate)")
      for workout in admitted where workout == swim {
        #expect(predicate.evaluate(with: workout), "\(predicate)")
      }
    }
    let formatted = NSPredicate(
      format: "%K == %d AND %K > %@", HKPredicateKeyPathWorkoutType,
      HKWorkoutActivityType.running.rawValue, HKPredicateKeyPathWorkoutTotalDistance,
      quantity(1, .meter()))
    #expect(try await store.samples(.workoutType(), predicate: formatted) == [run])
  }

  @Test func `predicates for activities admit workouts with a matching one`() async throws {
    let (store, run, swim) = try await makeWorkouts()
    let late = start.addingTimeInterval(250)
    let cases: [(predicate: NSPredicate, admitted: [HKWorkout])] = [
      (HKQuery.predicateForWorkoutActivities(workoutActivityType: .swimming), [swim]),
      (HKQuery.predicateForWorkoutActivities(operatorType: .equalTo, duration: 400), [swim]),
      (HKQuery.predicateForWorkoutActivities(operatorType: .lessThan, duration: 101), [swim]),
      (HKQuery.predicateForWorkoutActivities(operatorType: .equalTo, duration: 500), []),
      (
        HKQuery.predicateForWorkoutActivities(start: late, end: nil, options: .strictStartDate),
        [swim]
      ),
      (HKQuery.predicateForWorkoutActivities(start: late, end: nil), [run, swim]),
      (
        HKQuery.predicateForWorkoutActivities(
          operatorType: .equalTo, quantityType: Self.active, sumQuantity: Self.energy), [swim]
      ),
      (
        HKQuery.predicateForWorkoutActivities(
          operatorType: .greaterThan, quantityType: heartRate,
          maximumQuantity: HKQuantity(unit: beatsPerMinute, doubleValue: 100)), [run]
      ),
      (
        // Both conditions must hold for the same activity.
        NSCompoundPredicate(andPredicateWithSubpredicates: [
          HKQuery.predicateForWorkoutActivities(operatorType: .lessThan, duration: 101),
          HKQuery.predicateForWorkoutActivities(
            operatorType: .equalTo, quantityType: Self.active, sumQuantity: Self.energy),
        ]), []
      ),
    ]
    for (predicate, admitted) in cases {
      let whole = HKQuery.predicateForWorkouts(activityPredicate: predicate)
      let found = try await store.samples(.workoutType(), predicate: whole)
      #expect(Set(found) == Set(admitted), "\(predicate)")
    }
  }

  @Test func `queries for workouts ignore other samples`() async throws {
    let store = HKHealthStore.inMemory()
    try await store.save([beat(60)])
    let running = HKQuery.predicateForWorkouts(with: .running)
    let runs: [HKWorkout] = try await HKSampleQueryDescriptor(
      predicates: [.workout(running)], sortDescriptors: [SortDescriptor(\.startDate)], limit: 1
    ).result(for: store)
    #expect(runs.isEmpty)
    let changes = try await HKAnchoredObjectQueryDescriptor(predicates: [.workout()], anchor: nil)
      .result(for: store)
    #expect(changes.addedSamples.isEmpty)
    #expect(try await store.samples(.workoutType(), predicate: running).isEmpty)
  }

  @Test func `a sample outside workouts satisfies the predicate for no workout`() async throws {
    let store = HKHealthStore.inMemory()
    try await store.save([beat(60)])
    let loose = NSPredicate(format: "%K == nil", HKPredicateKeyPathWorkout)
    #expect(try await store.samples(heartRate, predicate: loose).count == 1)
    let within = NSCompoundPredicate(notPredicateWithSubpredicate: loose)
    #expect(try await store.samples(heartRate, predicate: within).isEmpty)
  }

  @Test func `an operator without an order traps`() async {
    await #expect(processExitsWith: .failure) {
      _ = HKQuery.predicateForWorkouts(with: .beginsWith, duration: 60)
    }
  }
}
