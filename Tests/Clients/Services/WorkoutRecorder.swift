// swift-format-ignore-file: NeverForceUnwrap

import CoreLocation
import HealthKit

// A builder with its route, with completion handlers and then with async functions.

final class WorkoutRecorder {
  private let healthStore: HKHealthStore
  private let builder: HKWorkoutBuilder
  private let routeBuilder: HKWorkoutRouteBuilder
  private(set) var locationCount = 0

  init(healthStore: HKHealthStore, activity: HKWorkoutActivityType) {
    self.healthStore = healthStore
    let configuration = HKWorkoutConfiguration()
    configuration.activityType = activity
    configuration.locationType = .outdoor
    builder = HKWorkoutBuilder(
      healthStore: healthStore, configuration: configuration, device: .local())
    routeBuilder = HKWorkoutRouteBuilder(healthStore: healthStore, device: nil)
  }

  func start(at date: Date, completion: @escaping (Bool, Error?) -> Void) {
    builder.beginCollection(withStart: date) { success, error in
      completion(success, error)
    }
  }

  func insert(_ locations: [CLLocation]) async throws {
    let accurate = locations.filter { $0.horizontalAccuracy >= 0 && $0.horizontalAccuracy <= 50 }
    guard !accurate.isEmpty else { return }
    try await routeBuilder.insertRouteData(accurate)
    locationCount += accurate.count
  }

  func add(heartRate: Double, at date: Date) async throws {
    let unit = HKUnit.count().unitDivided(by: .minute())
    let sample = HKQuantitySample(
      type: HKQuantityType(.heartRate), quantity: HKQuantity(unit: unit, doubleValue: heartRate),
      start: date, end: date)
    try await builder.addSamples([sample])
  }

  func add(energy: Double, from start: Date, to end: Date) async throws {
    let sample = HKCumulativeQuantitySample(
      type: HKQuantityType(.activeEnergyBurned),
      quantity: HKQuantity(unit: .kilocalorie(), doubleValue: energy), start: start, end: end)
    try await builder.addSamples([sample])
  }

  func pause(from start: Date, to end: Date) async throws {
    try await builder.addWorkoutEvents([
      HKWorkoutEvent(
        type: .pause, dateInterval: DateInterval(start: start, duration: 0), metadata: nil),
      HKWorkoutEvent(
        type: .resume, dateInterval: DateInterval(start: end, duration: 0), metadata: nil),
    ])
  }

  func elapsedSeconds(at date: Date) -> TimeInterval { builder.elapsedTime(at: date) }

  var energySoFar: Double? {
    builder.statistics(for: HKQuantityType(.activeEnergyBurned))?.sumQuantity()?
      .doubleValue(for: .kilocalorie())
  }

  func finish(at date: Date, title: String) async throws -> (HKWorkout, HKWorkoutRoute)? {
    try await builder.addMetadata([HKMetadataKeyWorkoutBrandName: title])
    try await builder.endCollection(at: date)
    guard let workout = try await builder.finishWorkout() else { return nil }
    let route = try await routeBuilder.finishRoute(with: workout, metadata: nil)
    return (workout, route)
  }

  func cancel() {
    routeBuilder.discard()
    builder.discardWorkout()
  }

  /// The form used before workout builders existed.
  func saveLegacy(
    activity: HKWorkoutActivityType, start: Date, end: Date, kilocalories: Double, meters: Double,
    completion: @escaping (HKWorkout?, Error?) -> Void
  ) {
    let workout = HKWorkout(
      activityType: activity, start: start, end: end, workoutEvents: nil,
      totalEnergyBurned: HKQuantity(unit: .kilocalorie(), doubleValue: kilocalories),
      totalDistance: HKQuantity(unit: .meter(), doubleValue: meters),
      metadata: [HKMetadataKeyIndoorWorkout: false])
    let distance = HKQuantitySample(
      type: HKQuantityType.quantityType(forIdentifier: .distanceWalkingRunning)!,
      quantity: HKQuantity(unit: .meter(), doubleValue: meters), start: start, end: end)
    healthStore.save(workout) { [healthStore] success, error in
      guard success else { return completion(nil, error) }
      healthStore.add([distance], to: workout) { success, error in
        completion(success ? workout : nil, error)
      }
    }
  }
}
