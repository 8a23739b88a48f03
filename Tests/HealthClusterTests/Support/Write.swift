import Foundation
import SampleLog
import UniformTypeIdentifiers

@testable import HealthStore

/// An operation that changes a store through HealthKit's API or our additions to it.
struct Write: Sendable {
  let name: String
  /// Changes a store that contains the sample.
  let body: @Sendable (HKHealthStore, HKQuantitySample) async throws -> Void

  init(
    _ name: String,
    _ body: @escaping @Sendable (HKHealthStore, HKQuantitySample) async throws -> Void
  ) {
    self.name = name
    self.body = body
  }

  private static func workout(_ store: HKHealthStore) async throws -> HKWorkout? {
    let builder = HKWorkoutBuilder(
      healthStore: store, configuration: HKWorkoutConfiguration(), device: nil)
    try await builder.beginCollection(at: noon)
    try await builder.endCollection(at: noon.addingTimeInterval(60))
    return try await builder.finishWorkout()
  }

  static let all: [Write] = [
    Write("save") { store, _ in try await store.save(beat(1, 10)) },
    Write("save an existing sample") { store, sample in
      try await store.committing { writer, _ in
        try writer.add([sample])
      }
    },
    Write("delete of a predicate") { store, _ in
      try await store.deleteObjects(
        of: heartRate, predicate: HKQuery.predicateForSamples(withStart: noon, end: noon))
    },
    Write("delete of nothing") { store, _ in
      try await store.deleteObjects(
        of: HKQuantityType(.bodyMass), predicate: NSPredicate(value: true))
    },
    Write("expiry") { store, _ in
      try await store.deleteObjects(of: HKQuantityType(.bodyMass), olderThan: 1)
    },
    Write("workout builder") { store, _ in _ = try await workout(store) },
    Write("samples of a workout builder") { store, _ in
      let builder = HKWorkoutBuilder(
        healthStore: store, configuration: HKWorkoutConfiguration(), device: nil)
      try await builder.beginCollection(at: noon)
      try await builder.addSamples([beat(2, 20)])
    },
    Write("series builder") { store, _ in
      let builder = HKQuantitySeriesSampleBuilder(
        healthStore: store, quantityType: heartRate, startDate: noon, device: nil)
      try builder.insert(HKQuantity(unit: perMinute, doubleValue: 1), at: noon)
      _ = try await builder.finishSeries(metadata: nil, endDate: nil)
    },
    Write("heartbeats") { store, _ in
      let builder = HKHeartbeatSeriesBuilder(healthStore: store, device: nil, start: noon)
      try await builder.addHeartbeat(at: 1, precededByGap: false)
      _ = try await builder.finishSeries()
    },
    Write("attachment") { store, sample in
      let url = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
      try Data("attached".utf8).write(to: url)
      defer { try? FileManager.default.removeItem(at: url) }
      _ = try await HKAttachmentStore(healthStore: store).addAttachment(
        to: sample, name: "a", contentType: .plainText, url: url)
    },
    Write("characteristic") { store, _ in try await store.setBloodType(.aPositive) },
    Write("imported characteristic") { store, _ in
      try store.importCharacteristics(dateOfBirth: nil, [.bloodType: 1])
    },
    Write("preferred unit") { store, _ in
      try await store.setPreferredUnit(perMinute, for: heartRate)
    },
    Write("order of sources") { store, _ in
      try await store.setSourceOrder([.default()], for: heartRate)
    },
    Write("goals") { store, _ in try await store.setActivityGoals(ActivityGoals()) },
    Write("days") { store, _ in
      try await store.setActivitySummaries([DateComponents(year: 2026, month: 1, day: 1): nil])
    },
    Write("imported days") { store, _ in
      try store.importActivitySummaries([
        DateComponents(year: 2026, month: 1, day: 1): HKActivitySummary()
      ])
    },
    Write("imported settings") { store, _ in
      try store.importSettings([StoredSetting(type: nil, name: "unit/x", value: [1])])
    },
    Write("transfer") { store, _ in
      try store.commitBlocking { writer, _ in writer.set("device/x", to: [1]) }
    },
    Write("writer of an import") { store, _ in
      var writer = try RowWriter(store)
      try writer.add([beat(3, 30)])
      _ = try writer.commit()
    },
    Write("registration") { store, _ in
      try await store.enableBackgroundDelivery(for: heartRate, frequency: .hourly)
    },
    Write("reset of a registration") { store, _ in
      try await store.resetBackgroundDelivery(for: heartRate)
    },
    Write("end of a registration") { store, _ in
      try await store.disableBackgroundDelivery(for: heartRate)
    },
    Write("end of all registrations") { store, _ in
      try await store.disableAllBackgroundDelivery()
    },
    Write("delete") { store, sample in try await store.delete([sample]) },
  ]
}
