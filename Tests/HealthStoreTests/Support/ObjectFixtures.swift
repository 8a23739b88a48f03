import CoreLocation
import Foundation
import SampleLog

@testable import HealthStore

/// A store with objects of every family, and its query results.
enum ObjectFixtures {
  static func save(into store: HKHealthStore) async throws {
    let samples = try FamilyFixtures.all + [route, beats, electrocardiogram, heartBeat(60, at: 20)]
    try await store.save(samples)
    let series = HKQuantitySeriesSampleBuilder(
      healthStore: store, quantityType: HKQuantityType(.distanceCycling), startDate: testStart,
      device: nil)
    for second in 0..<1_500 {
      try series.insert(
        HKQuantity(unit: .meter(), doubleValue: Double(second % 7) + 0.1),
        at: testStart + Double(second))
    }
    _ = try await series.finishSeries(metadata: ["note": "q"])
    try await store.save(workout)
    let parts: Set<HKSample> = [
      HKQuantitySample(
        type: HKQuantityType(.bloodPressureSystolic),
        quantity: HKQuantity(unit: .millimeterOfMercury(), doubleValue: 120), start: testStart,
        end: testStart),
      HKQuantitySample(
        type: HKQuantityType(.bloodPressureDiastolic),
        quantity: HKQuantity(unit: .millimeterOfMercury(), doubleValue: 80), start: testStart,
        end: testStart),
    ]
    try await store.save(
      HKCorrelation(
        type: HKCorrelationType(.bloodPressure), start: testStart, end: testStart, objects: parts))
    let saved = try await store.read(.workout())
    let beats = try await store.read(.quantitySample(type: testHeartRate))
    if let workout = saved.first { try await store.addSamples(beats, to: workout) }
  }

  private static var workout: HKWorkout {
    get throws {
      let pause = HKWorkoutEvent(
        type: .pause, dateInterval: DateInterval(start: testStart + 60, duration: 0),
        metadata: nil)
      let resume = HKWorkoutEvent(
        type: .resume, dateInterval: DateInterval(start: testStart + 90, duration: 0),
        metadata: ["note": "e"])
      return HKWorkout(
        activityType: .cycling, start: testStart, end: testStart + 600,
        workoutEvents: [pause, resume],
        totalEnergyBurned: HKQuantity(unit: .kilocalorie(), doubleValue: 80.5),
        totalDistance: HKQuantity(unit: .meter(), doubleValue: 4_200.25),
        metadata: [HKMetadataKeyIndoorWorkout: false])
    }
  }

  private static var route: HKWorkoutRoute {
    get throws {
      try HKWorkoutRoute.validated(
        locations: (0..<1_100).map { index in
          CLLocation(
            coordinate: CLLocationCoordinate2D(
              latitude: 52.5 + Double(index) * 1e-5, longitude: 13.4 - Double(index) / 3e5),
            altitude: 34.5, horizontalAccuracy: 5, verticalAccuracy: 3, course: 12, speed: 2.5,
            timestamp: testStart + Double(index))
        }, metadata: ["note": "l"])
    }
  }

  private static var beats: HKHeartbeatSeriesSample {
    get throws {
      try HKHeartbeatSeriesSample.validated(
        start: testStart,
        heartbeats: (0..<1_100).map {
          .init(timeIntervalSinceStart: Double($0) * 0.8125, precededByGap: $0 % 100 == 99)
        })
    }
  }

  private static var electrocardiogram: HKElectrocardiogram {
    get throws {
      try HKElectrocardiogram.validated(
        start: testStart, voltages: (0..<1_100).map { Double($0 % 200) - 99.5 },
        samplingFrequency: HKQuantity(unit: .hertz(), doubleValue: 512),
        classification: .atrialFibrillation,
        averageHeartRate: HKQuantity(unit: testBeats, doubleValue: 71))
    }
  }
}

extension ObjectFixtures {
  /// The properties of each object, one line per object, in order of their types.
  static func answers(_ store: HKHealthStore) async throws -> String {
    var lines: [String] = []
    for type in HKSampleType.all.sorted(by: { $0.identifier < $1.identifier }) {
      let samples = try await store.read(.sample(type: type))
      for sample in samples.sorted(by: { $0.uuid.uuidString < $1.uuid.uuidString }) {
        lines.append(
          (["\(type.identifier)"] + sample.contents + [try await more(sample, store)])
            .joined(separator: " "))
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The content of an object's child rows.
  private static func more(_ sample: HKSample, _ store: HKHealthStore) async throws -> String {
    var numbers: [Double] = []
    switch sample {
    case let quantity as HKQuantitySample where quantity.count > 1:
      for try await one in HKQuantitySeriesSampleQueryDescriptor(
        predicate: .quantitySample(
          type: quantity.quantityType, predicate: HKQuery.predicateForObject(with: quantity.uuid)),
        options: []
      ).results(for: store) {
        numbers += [one.dateInterval.start.timeIntervalSince(testStart)]
        numbers += [one.quantity.doubleValue(for: .meter())]
      }
    case let quantity as HKQuantitySample: return "\(quantity.quantity)"
    case let beats as HKHeartbeatSeriesSample:
      for try await beat in HKHeartbeatSeriesQueryDescriptor(beats).results(for: store) {
        numbers += [beat.timeIntervalSinceStart, beat.precededByGap ? 1 : 0]
      }
    case let trace as HKElectrocardiogram:
      for try await one in HKElectrocardiogramQueryDescriptor(trace).results(for: store) {
        let volts = one.quantity(for: .appleWatchSimilarToLeadI)?.doubleValue(for: .volt())
        numbers += [one.timeSinceSampleStart, volts ?? .nan]
      }
    case let route as HKWorkoutRoute:
      for try await location in HKWorkoutRouteQueryDescriptor(route).results(for: store) {
        numbers += [location.coordinate.latitude, location.coordinate.longitude, location.altitude]
        numbers += [location.timestamp.timeIntervalSince(testStart), location.speed]
      }
    case let workout as HKWorkout:
      let predicate = HKQuery.predicateForObjects(from: workout)
      numbers = try await store.beats(predicate) + [workout.duration]
      numbers += workout.allStatistics.keys.map(\.identifier).sorted().compactMap {
        workout.statistics(for: HKQuantityType(HKQuantityTypeIdentifier(rawValue: $0)))?
          .averageQuantity()?.doubleValue(for: testBeats)
      }
    default: break
    }
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for number in numbers { hash = (hash ^ number.bitPattern) &* 0x100_0000_01B3 }
    return numbers.isEmpty ? "-" : "\(numbers.count) numbers, hash \(hash)"
  }
}
