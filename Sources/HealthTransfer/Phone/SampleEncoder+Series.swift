import CoreLocation
import Foundation
import HealthKit

// Encodes the points of series.
@available(iOS 18.0, macOS 15.0, watchOS 11.0, visionOS 2.0, *)
extension SampleEncoder {
  /// Adds the values of a quantity series, with the start, end and value of each.
  func add(
    pointsOf sample: HKQuantitySample, _ unit: HKUnit, to result: inout TransferSample
  ) async throws {
    let descriptor = HKQuantitySeriesSampleQueryDescriptor(
      predicate: .quantitySample(
        type: sample.quantityType, predicate: HKQuery.predicateForObject(with: sample.uuid)),
      options: .orderByQuantitySampleStartDate)
    var points: [(start: Double, end: Double, value: Double)] = []
    for try await one in descriptor.results(for: store) {
      points.append(
        (
          one.dateInterval.start.timeIntervalSinceReferenceDate,
          one.dateInterval.end.timeIntervalSinceReferenceDate,
          one.quantity.doubleValue(for: unit)
        ))
    }
    guard let first = points.first else { return }
    let latest = points.reduce(first) {
      ($0.end, $0.start) <= ($1.end, $1.start) ? $1 : $0
    }
    var writer = WireWriter()
    writer.byte(1)
    writer.count(points.count)
    for number in [
      points.reduce(first.value) { min($0, $1.value) },
      points.reduce(first.value) { max($0, $1.value) }, latest.value, latest.start, latest.end,
    ] { writer.fixed(number) }
    result.contents = writer.bytes
    result.parts = [.points(width: 3, numbers: points.flatMap { [$0.start, $0.end, $0.value] })]
  }

  /// Adds the locations of a route, and the workouts that it belongs to.
  func add(locationsOf route: HKWorkoutRoute, to result: inout TransferSample) async throws {
    var numbers: [Double] = []
    for try await location in HKWorkoutRouteQueryDescriptor(route).results(for: store) {
      let coordinate = location.coordinate
      numbers += [
        location.timestamp.timeIntervalSinceReferenceDate, coordinate.latitude,
        coordinate.longitude, location.altitude, location.horizontalAccuracy,
        location.verticalAccuracy, location.course, location.courseAccuracy, location.speed,
        location.speedAccuracy, Self.flags(location.sourceInformation),
      ]
    }
    result.contents = Self.series(of: numbers.count / 11)
    result.parts = [.points(width: 11, numbers: numbers)]
    let workouts = try await workouts(of: route)
    if !workouts.isEmpty { result.parts.append(.workouts(workouts)) }
  }

  private static func flags(_ source: CLLocationSourceInformation?) -> Double {
    guard let source else { return 0 }
    return 1 + (source.isSimulatedBySoftware ? 2 : 0) + (source.isProducedByAccessory ? 4 : 0)
  }

  /// Returns the workouts that a route belongs to.
  ///
  /// A route may be saved after its workout, which the anchored query then does not deliver again.
  private func workouts(of route: HKWorkoutRoute) async throws -> [UUID] {
    let type = HKObjectType.workoutType()
    guard types.contains(type) else { return [] }
    let near = HKQuery.predicateForSamples(
      withStart: route.startDate, end: route.endDate, options: [])
    var found: [UUID] = []
    for case let workout as HKWorkout in try await samples([type], near) {
      let own = HKQuery.predicateForObjects(from: workout)
      if try await samples([route.sampleType], own).contains(where: { $0.uuid == route.uuid }) {
        found.append(workout.uuid)
      }
    }
    return found
  }

  func add(
    heartbeatsOf series: HKHeartbeatSeriesSample, to result: inout TransferSample
  ) async throws {
    var numbers: [Double] = []
    for try await beat in HKHeartbeatSeriesQueryDescriptor(series).results(for: store) {
      numbers += [beat.timeIntervalSinceStart, beat.precededByGap ? 1 : 0]
    }
    result.contents = Self.series(of: numbers.count / 2)
    result.parts = [.points(width: 2, numbers: numbers)]
  }

  /// Returns the encoded contents of a series that consists only of points.
  private static func series(of count: Int) -> [UInt8] {
    var writer = WireWriter()
    writer.byte(1)
    writer.count(count)
    return writer.bytes
  }

  func add(
    voltagesOf sample: HKElectrocardiogram, to result: inout TransferSample
  ) async throws {
    let unit = HKUnit.voltUnit(with: .micro)
    var numbers: [Double] = []
    for try await one in HKElectrocardiogramQueryDescriptor(sample).results(for: store) {
      guard let voltage = one.quantity(for: .appleWatchSimilarToLeadI) else { continue }
      numbers += [one.timeSinceSampleStart, voltage.doubleValue(for: unit)]
    }
    let symptoms =
      sample.symptomsStatus == .present
      ? try await samples(
        types.filter { $0 is HKCategoryType },
        HKQuery.predicateForObjectsAssociated(electrocardiogram: sample)) : []
    var writer = WireWriter()
    writer.byte(1)
    writer.count(numbers.count / 2)
    writer.signed(sample.classification.rawValue)
    writer.signed(sample.symptomsStatus.rawValue)
    let perMinute = HKUnit.count().unitDivided(by: .minute())
    writer.optional(sample.averageHeartRate?.doubleValue(for: perMinute)) { $0.fixed($1) }
    writer.optional(sample.samplingFrequency?.doubleValue(for: .hertz())) { $0.fixed($1) }
    writer.text(unit.unitString)
    writer.list(symptoms.sorted { $0.uuid.uuidString < $1.uuid.uuidString }) { writer, symptom in
      writer.identifier(symptom.uuid)
      writer.text(symptom.sampleType.identifier)
      writer.string([])
    }
    result.contents = writer.bytes
    result.parts = [.points(width: 2, numbers: numbers)]
  }
}
