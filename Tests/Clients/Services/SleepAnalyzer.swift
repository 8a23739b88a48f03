// swift-format-ignore-file: NeverForceUnwrap

import Foundation
import HealthKit

// Category samples, sort descriptors by key, and a continuation around a query.

struct SleepNight: Equatable, Sendable {
  var inBed: TimeInterval = 0
  var core: TimeInterval = 0
  var deep: TimeInterval = 0
  var rem: TimeInterval = 0
  var awake: TimeInterval = 0

  var asleep: TimeInterval { core + deep + rem }
}

class SleepAnalyzer {
  private let store: HKHealthStore
  private lazy var sleepType = HKCategoryType.categoryType(forIdentifier: .sleepAnalysis)!

  init(store: HKHealthStore) {
    self.store = store
  }

  func samples(in interval: DateInterval) async throws -> [HKCategorySample] {
    let predicate = NSCompoundPredicate(andPredicateWithSubpredicates: [
      HKQuery.predicateForSamples(withStart: interval.start, end: interval.end),
      NSPredicate(format: "metadata.%K != YES", HKMetadataKeyWasUserEntered),
    ])
    let newestFirst = NSSortDescriptor(key: HKSampleSortIdentifierStartDate, ascending: false)
    let type = sleepType
    return try await withCheckedThrowingContinuation { continuation in
      let query = HKSampleQuery(
        sampleType: type, predicate: predicate, limit: HKObjectQueryNoLimit,
        sortDescriptors: [newestFirst]
      ) { query, results, error in
        if let error {
          continuation.resume(throwing: error)
        } else {
          continuation.resume(returning: results as? [HKCategorySample] ?? [])
        }
      }
      store.execute(query)
    }
  }

  func night(_ interval: DateInterval) async throws -> SleepNight {
    try await samples(in: interval).reduce(into: SleepNight()) { night, sample in
      let duration = sample.endDate.timeIntervalSince(sample.startDate)
      guard let value = HKCategoryValueSleepAnalysis(rawValue: sample.value) else { return }
      switch value {
      case .inBed: night.inBed += duration
      case .asleepCore, .asleepUnspecified: night.core += duration
      case .asleepDeep: night.deep += duration
      case .asleepREM: night.rem += duration
      case .awake: night.awake += duration
      @unknown default: break
      }
    }
  }

  /// The deprecated spelling, which many projects still use.
  var legacyAsleepValue: Int { HKCategoryValueSleepAnalysis.asleep.rawValue }

  func asleepOnly(limit: Int) async throws -> [HKCategorySample] {
    let predicate = HKCategoryValueSleepAnalysis.predicateForSamples(
      equalTo: HKCategoryValueSleepAnalysis.allAsleepValues)
    let descriptor = HKSampleQueryDescriptor(
      predicates: [.categorySample(type: HKCategoryType(.sleepAnalysis), predicate: predicate)],
      sortDescriptors: [SortDescriptor(\.endDate, order: .reverse)], limit: limit)
    return try await descriptor.result(for: store)
  }

  func record(_ value: HKCategoryValueSleepAnalysis, _ interval: DateInterval) async throws {
    let sample = HKCategorySample(
      type: sleepType, value: value.rawValue, start: interval.start, end: interval.end,
      metadata: [HKMetadataKeyTimeZone: "Europe/Berlin"])
    try await store.save(sample)
  }
}
