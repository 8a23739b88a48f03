import Foundation
import Testing

@testable import HealthStore

extension AuthorizedReading {
  /// Queries of asynchronous callers.
  static let descriptors = [
    AuthorizedReading("HKSampleQueryDescriptor") { store in
      try await save(into: store)
      return values(try await store.read(.quantitySample(type: testHeartRate)))
    },
    AuthorizedReading("HKAnchoredObjectQueryDescriptor", "once") { store in
      try await save(into: store)
      return values(try await store.changes(after: nil).addedSamples)
    },
    AuthorizedReading("HKAnchoredObjectQueryDescriptor", "updates") { store in
      let descriptor = HKAnchoredObjectQueryDescriptor(
        predicates: [.quantitySample(type: testHeartRate)], anchor: nil)
      var results = descriptor.results(for: store).makeAsyncIterator()
      _ = try await results.next()
      try await save(into: store)
      return values(try await results.next()?.addedSamples ?? [])
    },
    AuthorizedReading("HKSourceQueryDescriptor") { store in
      try await save(into: store)
      let descriptor = HKSourceQueryDescriptor(
        predicate: .quantitySample(type: testHeartRate))
      return values(try await descriptor.result(for: store))
    },
    AuthorizedReading("HKQuantitySeriesSampleQueryDescriptor") { store in
      try await save(into: store)
      let descriptor = HKQuantitySeriesSampleQueryDescriptor(
        predicate: .quantitySample(type: testHeartRate))
      var values: Set<Double> = []
      for try await value in descriptor.results(for: store) {
        values.insert(value.quantity.doubleValue(for: testBeats))
      }
      return values
    },
    AuthorizedReading("HKStatisticsQueryDescriptor") { store in
      try await save(into: store)
      let descriptor = HKStatisticsQueryDescriptor(
        predicate: .quantitySample(type: testHeartRate), options: [.discreteMin, .discreteMax])
      return values(try await descriptor.result(for: store))
    },
    AuthorizedReading("HKStatisticsCollectionQueryDescriptor", "once") { store in
      try await save(into: store)
      return values(try await collection.result(for: store).statistics().first)
    },
    AuthorizedReading("HKStatisticsCollectionQueryDescriptor", "updates") { store in
      var results = collection.results(for: store).makeAsyncIterator()
      _ = try await results.next()
      try await save(into: store)
      return values(try await results.next()?.updatedStatistics?.first)
    },
  ]

  private static let collection = HKStatisticsCollectionQueryDescriptor(
    predicate: .quantitySample(type: testHeartRate), options: [.discreteMin, .discreteMax],
    anchorDate: testStart, intervalComponents: days)
}
