import Foundation
import SampleLog

@testable import HealthStore

/// A question to a damaged store, with its answer as text.
enum RotQuestion: Int, CaseIterable, Sendable {
  case samples, correlations, uncorrelated, metadata, block, sorted, latest, changes, touched,
    deletion, sources

  static let path = "/rot"
  static let systolic = HKQuantityType(.bloodPressureSystolic)
  static let bloodPressure = HKCorrelationType(.bloodPressure)
  static let food = HKCorrelationType(.food)
  static let energy = HKQuantityType(.dietaryEnergyConsumed)
  static let types: [HKSampleType] = [
    testHeartRate, systolic, HKCategoryType(.sleepAnalysis), energy, bloodPressure, food,
  ]

  func ask(_ store: HKHealthStore) async throws -> String {
    switch self {
    case .samples: try await read(store, Self.types, nil)
    case .correlations: try await read(store, [Self.bloodPressure, Self.food], nil)
    case .uncorrelated:
      try await read(
        store, [Self.systolic, Self.energy, testHeartRate],
        HKQuery.predicateForObjectsWithNoCorrelation())
    case .metadata:
      try await read(store, Self.types, HKQuery.predicateForObjects(withMetadataKey: "key"))
    case .block:
      try await read(
        store, Self.types,
        NSPredicate { object, _ in
          ((object as? HKCorrelation)?.objects.count ?? 1) > 0
            && (object as? HKObject)?.metadata?.count != 2
        })
    case .sorted:
      try await store.read(
        .quantitySample(type: testHeartRate),
        sort: [SortDescriptor(\.uuid.uuidString, order: .reverse)]
      ).map(Self.text).joined(separator: "\n")
    case .latest:
      try await HKSampleQueryDescriptor(
        predicates: [.sample(type: Self.bloodPressure)],
        sortDescriptors: [SortDescriptor(\.startDate, order: .reverse)], limit: 3
      ).result(for: store).map(Self.text).joined(separator: "\n")
    case .changes: try await changes(store)
    case .touched: try touched(store)
    case .deletion:
      String(
        try await store.deleteObjects(
          of: Self.energy, predicate: HKQuery.predicateForObjectsWithNoCorrelation()))
        + (try await read(store, [Self.energy, Self.food], nil))
    case .sources: try await sources(store)
    }
  }

  private func sources(_ store: HKHealthStore) async throws -> String {
    var texts: [String] = []
    let hasKey = HKQuery.predicateForObjects(withMetadataKey: "key")
    for type in Self.types {
      for predicate in [nil, hasKey] {
        texts += try await HKSourceQueryDescriptor(
          predicate: .sample(type: type, predicate: predicate)
        ).result(for: store).map(\.description)
      }
    }
    return texts.joined(separator: "\n")
  }

  private func read(
    _ store: HKHealthStore, _ types: [HKSampleType], _ predicate: NSPredicate?
  ) async throws -> String {
    var texts: [String] = []
    for type in types {
      texts += try await store.read(.sample(type: type, predicate: predicate)).map(Self.text)
    }
    return texts.joined(separator: "\n")
  }

  private func changes(_ store: HKHealthStore) async throws -> String {
    let found = try await HKAnchoredObjectQueryDescriptor(
      predicates: Self.types.map { .sample(type: $0) }, anchor: nil
    ).result(for: store)
    let deleted = found.deletedObjects.map { "\($0.uuid) \(Self.text($0.metadata))" }
    return (found.addedSamples.map(Self.text) + deleted).joined(separator: "\n")
  }

  /// Returns the types of which an observer is notified.
  private func touched(_ store: HKHealthStore) throws -> String {
    let reader = StoreReader(try store.location.open(), subject: store.subject)
    let plan = try reader.plan(
      Self.types.map {
        HKQueryDescriptor(
          sampleType: $0, predicate: HKQuery.predicateForObjectsWithNoCorrelation())
      })
    let feed = try ChangeFeed(reader.store.database, after: .beginning, of: plan.selection)
    let types = try feed.nextChangedSeries()?.compactMap { plan.type(of: $0.key)?.identifier }
    return "\(types?.sorted() ?? []) \(feed.anchor)"
  }

  private static func text(_ sample: HKSample) -> String {
    var parts = [
      sample.description, sample.sourceRevision.description, "\(sample.source.bundleIdentifier)",
      sample.device?.description ?? "", text(sample.metadata),
    ]
    if let correlation = sample as? HKCorrelation {
      parts += correlation.objects.map(text).sorted()
    }
    return parts.joined(separator: " | ")
  }

  private static func text(_ metadata: [String: Any]?) -> String {
    (metadata ?? [:]).map { "\($0.key)=\($0.value)" }.sorted().joined(separator: ",")
  }
}

extension RotQuestion {
  static func pressure(_ offset: Double) throws -> HKCorrelation {
    let date = testStart.addingTimeInterval(offset)
    let members = try [
      (systolic, 120.0), (HKQuantityType(.bloodPressureDiastolic), 80.0),
    ].map { type, value in
      try HKQuantitySample.validated(
        type: type, quantity: HKQuantity(unit: .millimeterOfMercury(), doubleValue: value),
        start: date, end: date, metadata: ["key": "pressure"])
    }
    return try HKCorrelation.validated(
      type: bloodPressure, start: date, end: date, objects: Set(members),
      device: HKDevice.local(), metadata: ["key": offset])
  }

  /// A correlation whose member is replaced by the member of the next version.
  static func meal(version: Int, _ offset: Double) throws -> HKCorrelation {
    let date = testStart.addingTimeInterval(offset)
    let member = try HKQuantitySample.validated(
      type: energy, quantity: HKQuantity(unit: .kilocalorie(), doubleValue: Double(version)),
      start: date, end: date,
      metadata: [
        HKMetadataKeySyncIdentifier: "meal", HKMetadataKeySyncVersion: version, "key": true,
      ])
    let alone = try HKQuantitySample.validated(
      type: energy, quantity: HKQuantity(unit: .kilocalorie(), doubleValue: 7), start: date,
      end: date)
    return try HKCorrelation.validated(
      type: food, start: date, end: date, objects: [member, alone])
  }

  static func sleep(_ offset: Double) throws -> HKCategorySample {
    try HKCategorySample.validated(
      type: HKCategoryType(.sleepAnalysis), value: 1, start: testStart.addingTimeInterval(offset),
      end: testStart.addingTimeInterval(offset + 60), metadata: ["key": testStart])
  }
}
