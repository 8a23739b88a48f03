// swift-format-ignore-file: NeverForceUnwrap

import HealthKit

// A protocol to which the store conforms, custom units, and sync identifiers.

protocol GlucoseHealthStore {
  func save(
    _ objects: [HKObject], withCompletion completion: @escaping @Sendable (Bool, Error?) -> Void)
  func execute(_ query: HKQuery)
  func stop(_ query: HKQuery)
}

extension HKHealthStore: GlucoseHealthStore {}

extension HKUnit {
  static let milligramsPerDeciliter: HKUnit = {
    HKUnit.gramUnit(with: .milli).unitDivided(by: .literUnit(with: .deci))
  }()

  static let millimolesPerLiter: HKUnit = {
    HKUnit.moleUnit(with: .milli, molarMass: HKUnitMolarMassBloodGlucose)
      .unitDivided(by: HKUnit.liter())
  }()

  var localizedShortName: String {
    self == HKUnit.millimolesPerLiter ? "mmol/L" : unitString
  }
}

extension HKQuantity: Comparable {
  /// Whether the left quantity is less.
  public static func < (lhs: HKQuantity, rhs: HKQuantity) -> Bool {
    lhs.compare(rhs) == .orderedAscending
  }
}

struct Glucose: Hashable, Sendable {
  let identifier: String
  let version: Int
  let date: Date
  let millimoles: Double
  let isDisplayOnly: Bool

  init(
    identifier: String, version: Int, date: Date, millimoles: Double, isDisplayOnly: Bool = false
  ) {
    self.identifier = identifier
    self.version = version
    self.date = date
    self.millimoles = millimoles
    self.isDisplayOnly = isDisplayOnly
  }

  static let displayOnlyKey = "com.example.GlucoseKit.HKMetadataKey.GlucoseIsDisplayOnly"

  var quantitySample: HKQuantitySample {
    var metadata: [String: Any] = [
      HKMetadataKeySyncIdentifier: identifier, HKMetadataKeySyncVersion: version,
    ]
    if isDisplayOnly { metadata[Glucose.displayOnlyKey] = true }
    return HKQuantitySample(
      type: HKQuantityType.quantityType(forIdentifier: .bloodGlucose)!,
      quantity: HKQuantity(unit: .millimolesPerLiter, doubleValue: millimoles), start: date,
      end: date,
      device: HKDevice(
        name: "CGM", manufacturer: "Example", model: "G1", hardwareVersion: nil,
        firmwareVersion: "1.2", softwareVersion: nil, localIdentifier: "A1",
        udiDeviceIdentifier: nil), metadata: metadata)
  }

  init?(_ sample: HKQuantitySample) {
    guard let identifier = sample.metadata?[HKMetadataKeySyncIdentifier] as? String,
      let version = sample.metadata?[HKMetadataKeySyncVersion] as? Int
    else { return nil }
    self.init(
      identifier: identifier, version: version, date: sample.startDate,
      millimoles: sample.quantity.doubleValue(for: .millimolesPerLiter),
      isDisplayOnly: sample.metadata?[Glucose.displayOnlyKey] as? Bool ?? false)
  }
}

final class GlucoseStore {
  private let healthStore: HKHealthStore
  private let type = HKQuantityType.quantityType(forIdentifier: .bloodGlucose)!

  init(healthStore: HKHealthStore) {
    self.healthStore = healthStore
  }

  func add(_ values: [Glucose], completion: @escaping @Sendable (Error?) -> Void) {
    let store: GlucoseHealthStore = healthStore
    store.save(values.map(\.quantitySample)) { _, error in completion(error) }
  }

  func values(
    start: Date, end: Date?, completion: @escaping (Result<[Glucose], Error>) -> Void
  ) {
    let predicate = NSPredicate(
      format: "%K >= %@ AND %K < %@", HKPredicateKeyPathStartDate, start as NSDate,
      HKPredicateKeyPathStartDate, (end ?? .distantFuture) as NSDate)
    let oldestFirst = NSSortDescriptor(key: HKSampleSortIdentifierStartDate, ascending: true)
    let query = HKSampleQuery(
      sampleType: type, predicate: predicate, limit: Int(HKObjectQueryNoLimit),
      sortDescriptors: [oldestFirst]
    ) { (_, samples, error) in
      if let error = error {
        completion(.failure(error))
      } else {
        completion(.success((samples as? [HKQuantitySample] ?? []).compactMap(Glucose.init)))
      }
    }
    healthStore.execute(query)
  }

  func extremes() async throws -> (lowest: HKQuantity, highest: HKQuantity)? {
    let descriptor = HKStatisticsQueryDescriptor(
      predicate: .quantitySample(type: type), options: [.discreteMin, .discreteMax])
    guard let statistics = try await descriptor.result(for: healthStore),
      let lowest = statistics.minimumQuantity(), let highest = statistics.maximumQuantity()
    else { return nil }
    return (min(lowest, highest), max(lowest, highest))
  }

  func remove(_ identifiers: [String], completion: @escaping (Int, Error?) -> Void) {
    let mine = HKQuery.predicateForObjects(from: HKSource.default())
    let named = HKQuery.predicateForObjects(
      withMetadataKey: HKMetadataKeySyncIdentifier, allowedValues: identifiers)
    healthStore.deleteObjects(
      of: type,
      predicate: NSCompoundPredicate(andPredicateWithSubpredicates: [mine, named])
    ) { success, count, error in
      completion(success ? count : 0, error)
    }
  }
}
