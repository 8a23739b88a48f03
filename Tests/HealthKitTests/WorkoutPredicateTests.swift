import HealthKit
import Testing

/// Workouts are declared and cannot be stored yet, so that these compile and match nothing.
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

  @Test func `predicates for workouts are equal when they ask for the same`() {
    let same = [
      HKQuery.predicateForWorkouts(with: .running),
      HKQuery.predicateForWorkouts(
        activityPredicate: HKQuery.predicateForWorkoutActivities(workoutActivityType: .running)),
    ]
    for predicate in same { #expect(Self.workouts.count { $0 == predicate } == 1) }
    #expect(Set(Self.workouts).count == Self.workouts.count)
  }

  @Test func `queries for workouts compile and find none`() async throws {
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

  @Test func `every sample belongs to no workout`() async throws {
    let store = HKHealthStore.inMemory()
    try await store.save([beat(60)])
    let loose = NSPredicate(format: "%K == nil", HKPredicateKeyPathWorkout)
    #expect(try await store.samples(heartRate, predicate: loose).count == 1)
    let within = NSCompoundPredicate(notPredicateWithSubpredicate: loose)
    #expect(try await store.samples(heartRate, predicate: within).isEmpty)
  }

  @Test func `an operator that compares no order traps`() async {
    await #expect(processExitsWith: .failure) {
      _ = HKQuery.predicateForWorkouts(with: .beginsWith, duration: 60)
    }
  }
}
