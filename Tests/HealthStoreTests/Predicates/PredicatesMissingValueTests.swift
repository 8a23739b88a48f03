import Foundation
import Testing

@testable import HealthStore

/// Comparisons of optional properties.
///
/// As in any `NSPredicate`, a missing value satisfies `!=` with every constant and no other
/// comparison with a constant.
@Suite struct PredicatesMissingValueTests {
  /// An optional property: its key path, an object that has it, objects that lack it, the first
  /// object's value, and the property as read by a block.
  struct Property: Sendable, CustomTestStringConvertible {
    let keyPath: String
    let present: @Sendable () throws -> HKSample
    let missing: [@Sendable () throws -> HKSample]
    let constant: @Sendable () -> Any
    let value: @Sendable (HKObject) -> NSObject?

    var testDescription: String { keyPath }
  }

  private static let devices: [Property] = DeviceProperty.allCases.map { property in
    Property(
      keyPath: "device.\(property.rawValue)",
      present: { try heartBeat(60, device: device { $0 == property ? "x" : nil }) },
      missing: [
        { try heartBeat(60) }, { try heartBeat(60, device: device { $0 == property ? nil : "x" }) },
      ], constant: { "x" },
      value: { $0.device?[keyPath: property.keyPath].map { NSString(string: $0) } })
  }

  private static func device(_ value: (DeviceProperty) -> String?) -> HKDevice {
    HKDevice(
      name: value(.name), manufacturer: value(.manufacturer), model: value(.model),
      hardwareVersion: value(.hardwareVersion), firmwareVersion: value(.firmwareVersion),
      softwareVersion: value(.softwareVersion), localIdentifier: value(.localIdentifier),
      udiDeviceIdentifier: value(.udiDeviceIdentifier))
  }

  private static func source(version: String?, product: String?) -> HKSourceRevision {
    HKSourceRevision(
      source: HKSource(name: "A", bundleIdentifier: "a"), version: version, productType: product,
      operatingSystemVersion: OperatingSystemVersion(
        majorVersion: 1, minorVersion: 0, patchVersion: 0))
  }

  private static func workout(_ energy: Double?, _ distance: Double?) -> HKWorkout {
    HKWorkout(
      activityType: .running, start: testStart, end: testStart + 60, workoutEvents: nil,
      totalEnergyBurned: energy.map { HKQuantity(unit: .kilocalorie(), doubleValue: $0) },
      totalDistance: distance.map { HKQuantity(unit: .meter(), doubleValue: $0) }, metadata: nil)
  }

  private static let others: [Property] = [
    Property(
      keyPath: "sourceRevision.version",
      present: { try heartBeat(60, source: source(version: "x", product: nil)) },
      missing: [{ try heartBeat(60, source: source(version: nil, product: "x")) }],
      constant: { "x" },
      value: { $0.sourceRevision.version.map { NSString(string: $0) } }),
    Property(
      keyPath: "sourceRevision.productType",
      present: { try heartBeat(60, source: source(version: nil, product: "x")) },
      missing: [{ try heartBeat(60, source: source(version: "x", product: nil)) }],
      constant: { "x" },
      value: { $0.sourceRevision.productType.map { NSString(string: $0) } }),
    Property(
      keyPath: "metadata.k", present: { try heartBeat(60, metadata: ["k": "x"]) },
      missing: [{ try heartBeat(60) }, { try heartBeat(60, metadata: ["l": "x"]) }],
      constant: { "x" }, value: { $0.metadata?["k"] as? NSString }),
    Property(
      keyPath: "device", present: { try heartBeat(60, device: device { _ in "x" }) },
      missing: [{ try heartBeat(60) }], constant: { device { _ in "x" } }, value: { $0.device }),
    Property(
      keyPath: HKPredicateKeyPathWorkoutTotalDistance, present: { workout(nil, 5) },
      missing: [{ workout(5, nil) }],
      constant: { HKQuantity(unit: .meter(), doubleValue: 5) },
      value: { ($0 as? HKWorkout)?.totalDistance }),
    Property(
      keyPath: HKPredicateKeyPathWorkoutTotalEnergyBurned, present: { workout(5, nil) },
      missing: [{ workout(nil, 5) }],
      constant: { HKQuantity(unit: .kilocalorie(), doubleValue: 5) },
      value: { ($0 as? HKWorkout)?.totalEnergyBurned }),
    Property(
      keyPath: "FHIRResource.identifier", present: { try FamilyFixtures.records[0] },
      missing: [
        {
          try HKClinicalRecord.validated(
            type: HKClinicalType(.labResultRecord), displayName: "", fhirResource: nil,
            start: testStart, end: testStart)
        }
      ], constant: { "obs-1" },
      value: { ($0 as? HKClinicalRecord)?.fhirResource.map { NSString(string: $0.identifier) } }),
    Property(
      keyPath: RecordField.scheduledDate.rawValue, present: { try FamilyFixtures.doses[0] },
      missing: [{ try FamilyFixtures.doses[1] }], constant: { testStart - 60 },
      value: { ($0 as? HKMedicationDoseEvent)?.scheduledDate.map { $0 as NSDate } }),
  ]

  /// A comparison, and whether an equal value and a missing value satisfy it.
  private static let comparisons: [(format: String, present: Bool, missing: Bool)] = [
    ("%K == %@", true, false), ("%K != %@", false, true), ("NOT (%K == %@)", false, true),
    ("NOT (%K != %@)", true, false), ("%K IN {%@}", true, false),
    ("NOT (%K IN {%@})", false, true),
  ]

  @Test(arguments: devices + others)
  func `A missing value differs from every constant, in a format, a query and a block`(
    property: Property
  ) async throws {
    let store = HKHealthStore.inMemory()
    let present = try property.present()
    let missing = try property.missing.map { try $0() }
    try await store.save([present] + missing)
    func check(_ predicate: NSPredicate, _ admits: (Bool, Bool), _ name: String) async throws {
      #expect(predicate.evaluate(with: present) == admits.0, "\(name)")
      for one in missing { #expect(predicate.evaluate(with: one) == admits.1, "\(name)") }
      let found = try await store.read(
        HKSamplePredicate.sample(type: present.sampleType, predicate: predicate))
      let expected = (admits.0 ? [present] : []) + (admits.1 ? missing : [])
      #expect(Set(found.map(\.uuid)) == Set(expected.map(\.uuid)), "\(name)")
    }
    let constant = property.constant()
    for (format, one, other) in Self.comparisons {
      let predicate = try NSPredicate.healthPredicate(
        format: format, arguments: [property.keyPath, constant])
      try await check(predicate, (one, other), format)
    }
    for (format, one, other) in [("%K == nil", false, true), ("%K != nil", true, false)] {
      let predicate = try NSPredicate.healthPredicate(
        format: format, arguments: [property.keyPath])
      try await check(predicate, (one, other), format)
    }
    let value = property.value
    let object = try #require(constant as? NSObject ?? (constant as? String).map { $0 as NSString })
    nonisolated(unsafe) let wanted = object
    let equal = NSPredicate { object, _ in
      (object as? HKObject).flatMap(value)?.isEqual(wanted) ?? false
    }
    try await check(equal, (true, false), "a block with ==")
    let different = NSPredicate { object, _ in
      !((object as? HKObject).flatMap(value)?.isEqual(wanted) ?? false)
    }
    try await check(different, (false, true), "a block with !=")
  }

  @Test func `The forms with an operator and with allowed values agree with the formats`() throws {
    let (present, missing) = (
      try heartBeat(60, metadata: ["k": "x"], device: Self.device { _ in "x" }), try heartBeat(60)
    )
    func admits(_ predicate: NSPredicate) -> [Bool] {
      [present, missing].map { predicate.evaluate(with: $0) }
    }
    #expect(
      admits(
        HKQuery.predicateForObjects(withMetadataKey: "k", operatorType: .notEqualTo, value: "x"))
        == [false, true])
    for property in [HKDevicePropertyKeyName, HKDevicePropertyKeyModel] {
      let predicate = HKQuery.predicateForObjects(
        withDeviceProperty: property, allowedValues: ["x"])
      #expect(admits(predicate) == [true, false])
      #expect(
        admits(NSCompoundPredicate(notPredicateWithSubpredicate: predicate)) == [false, true])
    }
  }

  @Test func `A property that a class does not have matches only a negation`() throws {
    let beat = try heartBeat(60)
    for format in ["totalDistance != %@", "totalDistance == %@"] {
      let predicate = try NSPredicate.healthPredicate(
        format: format, arguments: [HKQuantity(unit: .meter(), doubleValue: 5)])
      #expect(!predicate.evaluate(with: beat), "\(format)")
    }
  }
}
