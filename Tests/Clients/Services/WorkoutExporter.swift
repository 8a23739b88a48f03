// swift-format-ignore-file: NeverForceUnwrap

import CoreLocation
import HealthKit

// Reads workouts and their related data: routes in batches, heart rates, events, laps.

extension HKWorkoutActivityType {
  var name: String {
    switch self {
    case .running: return "Running"
    case .cycling: return "Cycling"
    case .walking: return "Walking"
    case .swimming: return "Swimming"
    case .other: return "Other"
    default: return "Workout \(rawValue)"
    }
  }
}

struct ExportedWorkout: Equatable {
  var name: String
  var duration: TimeInterval
  var meters: Double?
  var kilocalories: Double?
  var averageHeartRate: Double?
  var trackPoints: Int
  var pauses: Int
}

class WorkoutExporter {
  let store: HKHealthStore

  init(store: HKHealthStore) { self.store = store }

  func workouts(
    of activity: HKWorkoutActivityType, longerThan duration: TimeInterval
  ) async throws -> [HKWorkout] {
    let predicate = NSCompoundPredicate(
      type: .and,
      subpredicates: [
        HKQuery.predicateForWorkouts(with: activity),
        HKQuery.predicateForWorkouts(with: .greaterThanOrEqualTo, duration: duration),
      ])
    return try await withCheckedThrowingContinuation {
      (continuation: CheckedContinuation<[HKWorkout], Error>) in
      store.execute(
        HKSampleQuery(
          sampleType: .workoutType(), predicate: predicate, limit: HKObjectQueryNoLimit,
          sortDescriptors: [
            NSSortDescriptor(key: HKWorkoutSortIdentifierDuration, ascending: false)
          ],
          resultsHandler: { _, samples, error in
            guard let workouts = samples as? [HKWorkout] else {
              return continuation.resume(throwing: error!)
            }
            continuation.resume(returning: workouts)
          }))
    }
  }

  func locations(of route: HKWorkoutRoute) async throws -> [CLLocation] {
    try await withCheckedThrowingContinuation { continuation in
      var all: [CLLocation] = []
      let query = HKWorkoutRouteQuery(route: route) { _, locations, done, error in
        if let error { return continuation.resume(throwing: error) }
        all.append(contentsOf: locations ?? [])
        if done { continuation.resume(returning: all) }
      }
      store.execute(query)
    }
  }

  func routes(of workout: HKWorkout) async throws -> [HKWorkoutRoute] {
    let descriptor = HKAnchoredObjectQueryDescriptor(
      predicates: [.workoutRoute(HKQuery.predicateForObjects(from: workout))], anchor: nil)
    return try await descriptor.result(for: store).addedSamples
  }

  func heartRates(of workout: HKWorkout) async throws -> [HKQuantitySample] {
    let descriptor = HKSampleQueryDescriptor(
      predicates: [
        .quantitySample(
          type: HKQuantityType(.heartRate), predicate: HKQuery.predicateForObjects(from: workout))
      ], sortDescriptors: [SortDescriptor(\.startDate)])
    return try await descriptor.result(for: store)
  }

  func export(_ workout: HKWorkout) async throws -> ExportedWorkout {
    let routes = try await routes(of: workout)
    var points = 0
    for route in routes { points += try await locations(of: route).count }
    let rates = try await heartRates(of: workout).map {
      $0.quantity.doubleValue(for: HKUnit(from: "count/min"))
    }
    return ExportedWorkout(
      name: workout.workoutActivityType.name, duration: workout.duration,
      meters: workout.totalDistance?.doubleValue(for: .meter()),
      kilocalories: workout.statistics(for: HKQuantityType(.activeEnergyBurned))?.sumQuantity()?
        .doubleValue(for: .kilocalorie()),
      averageHeartRate: rates.isEmpty ? nil : rates.reduce(0, +) / Double(rates.count),
      trackPoints: points,
      pauses: workout.workoutEvents?.filter { $0.type == .pause }.count ?? 0)
  }

  func gpx(_ workout: HKWorkout) async throws -> String {
    var lines = [#"<gpx version="1.1" creator="WorkoutExporter"><trk><trkseg>"#]
    let formatter = ISO8601DateFormatter()
    for route in try await routes(of: workout) {
      let descriptor = HKWorkoutRouteQueryDescriptor(route)
      for try await location in descriptor.results(for: store) {
        let coordinate = location.coordinate
        lines.append(
          """
          <trkpt lat="\(coordinate.latitude)" lon="\(coordinate.longitude)">\
          <ele>\(location.altitude)</ele><time>\(formatter.string(from: location.timestamp))</time>\
          </trkpt>
          """)
      }
    }
    lines.append("</trkseg></trk></gpx>")
    return lines.joined(separator: "\n")
  }
}
