import Foundation
import HealthKit

/// An encoder of HealthKit's samples for a batch, which also queries the data that samples do not
/// contain.
@available(iOS 18.0, macOS 15.0, watchOS 11.0, visionOS 2.0, *)
struct SampleEncoder {
  let store: HKHealthStore
  /// The types that the app may read.
  let types: [HKSampleType]

  /// Encodes a sample; a correlation follows its objects.
  ///
  /// Returns an empty array for a sample that cannot be transferred.
  func encode(_ sample: HKSample) async throws -> [TransferSample] {
    var result = TransferSample(
      id: sample.uuid, type: sample.sampleType.identifier,
      start: sample.startDate.timeIntervalSinceReferenceDate,
      end: sample.endDate.timeIntervalSinceReferenceDate,
      source: OriginForm.bytes(sample.sourceRevision), device: sample.device.map(OriginForm.bytes))
    result.metadata = MetadataForm.bytes(sample.metadata)
    switch sample {
    case let sample as HKQuantitySample:
      guard let unit = WireUnit.unit(of: sample.quantityType) else { return [] }
      result.unit = unit.unitString
      result.value = sample.quantity.doubleValue(for: unit)
      if sample.count > 1 { try await add(pointsOf: sample, unit, to: &result) }
    case let sample as HKCategorySample: result.value = Double(sample.value)
    case let sample as HKCorrelation:
      var all: [TransferSample] = []
      for object in sample.objects.sorted(by: { $0.uuid.uuidString < $1.uuid.uuidString }) {
        all += try await encode(object)
      }
      result.contents = contents(of: sample)
      return all + [result]
    case let sample as HKWorkout:
      result.contents = contents(of: sample)
      result.parts = try await parts(of: sample)
    case let sample as HKWorkoutRoute: try await add(locationsOf: sample, to: &result)
    case let sample as HKHeartbeatSeriesSample: try await add(heartbeatsOf: sample, to: &result)
    case let sample as HKElectrocardiogram: try await add(voltagesOf: sample, to: &result)
    case let sample as HKCDADocumentSample:
      guard let bytes = try await contents(of: sample) else { return [] }
      result.contents = bytes
    default:
      guard let bytes = try contents(ofRecord: sample) else { return [] }
      result.contents = bytes
    }
    return [result]
  }

  private func contents(of sample: HKCorrelation) -> [UInt8] {
    var writer = WireWriter()
    writer.byte(1)
    let objects = sample.objects.sorted { $0.uuid.uuidString < $1.uuid.uuidString }
    writer.list(objects) { writer, object in
      writer.identifier(object.uuid)
      writer.text(object.sampleType.identifier)
      writer.string([])
    }
    return writer.bytes
  }

  /// Returns the correlations that contain any of the samples, by the identifiers of their objects.
  ///
  /// A sample is sent together with its correlation, regardless of which one a query returns first;
  /// alone, it would be stored as a separate sample.
  func correlations(of samples: [HKSample]) async throws -> [UUID: [HKCorrelation]] {
    let types = types.filter { $0 is HKCorrelationType }
    let found = samples.filter { sample in
      Self.memberPrefixes.contains { sample.sampleType.identifier.hasPrefix($0) }
    }
    guard let start = found.map(\.startDate).min(), let end = found.map(\.endDate).max() else {
      return [:]
    }
    let near = HKQuery.predicateForSamples(
      withStart: start, end: end.addingTimeInterval(1), options: [])
    var result: [UUID: [HKCorrelation]] = [:]
    for case let correlation as HKCorrelation in try await self.samples(types, near) {
      for object in correlation.objects { result[object.uuid, default: []].append(correlation) }
    }
    return result
  }

  /// The prefixes of the types that blood pressures and foods contain.
  private static let memberPrefixes = [
    "HKQuantityTypeIdentifierBloodPressure", "HKQuantityTypeIdentifierDietary",
  ]

  /// Returns all samples of some types that match a predicate.
  func samples(_ types: [HKSampleType], _ predicate: NSPredicate) async throws -> [HKSample] {
    if types.isEmpty { return [] }
    return try await HKSampleQueryDescriptor(
      predicates: types.map { .sample(type: $0, predicate: predicate) }, sortDescriptors: []
    ).result(for: store)
  }
}
