import Foundation
import HealthStore
import SampleLog
import Testing

/// Initial loads, page by page, of a store that has forgotten deletions.
@Suite struct InitialLoadTests {
  private let heartRate = HKQuantityType(.heartRate)

  /// A store whose floor is above the sequence numbers of its first live samples.
  private func storeWithFloor() async throws -> HKHealthStore {
    var options = Database.Options()
    options.sealsInBackground = false
    options.deletionRetention = .seconds(-1)
    let store = HKHealthStore.inMemory(options: options)
    let samples = (0..<6).map { number in
      let value = Double(number)
      return HKQuantitySample(
        type: heartRate, quantity: HKQuantity(unit: HKUnit(from: "count/min"), doubleValue: value),
        start: Date(timeIntervalSinceReferenceDate: value),
        end: Date(timeIntervalSinceReferenceDate: value))
    }
    try await store.save(samples)
    try await store.delete(samples[5])
    #expect(try await store.compact().deletionsForgotten == 1)
    return store
  }

  @Test func `An initial load in pages continues although deletions were forgotten before it`()
    async throws
  {
    let store = try await storeWithFloor()
    var anchor: HKQueryAnchor?
    var values: [Double] = []
    while true {
      let page = try await HKAnchoredObjectQueryDescriptor(
        predicates: [.quantitySample(type: heartRate)], anchor: anchor, limit: 2
      ).result(for: store)
      if page.addedSamples.isEmpty, page.deletedObjects.isEmpty { break }
      values += page.addedSamples.map { $0.quantity.doubleValue(for: HKUnit(from: "count/min")) }
      // A program stores the anchor between two runs.
      let archive = try NSKeyedArchiver.archivedData(
        withRootObject: page.newAnchor, requiringSecureCoding: true)
      anchor = try NSKeyedUnarchiver.unarchivedObject(ofClass: HKQueryAnchor.self, from: archive)
    }
    #expect(values == [0, 1, 2, 3, 4])
  }

  @Test func `A sequence with a limit completes its initial load`() async throws {
    let store = try await storeWithFloor()
    let feed = HKAnchoredObjectQueryDescriptor(
      predicates: [.quantitySample(type: heartRate)], anchor: nil, limit: 2)
    var count = 0
    for try await page in feed.results(for: store) {
      count += page.addedSamples.count
      if count == 5 { break }
    }
    #expect(count == 5)
  }

  @Test
  func `An anchor in an initial load expires when a change before it is forgotten`() async throws {
    let store = try await storeWithFloor()
    let heartRates = HKSamplePredicate.quantitySample(type: heartRate)
    let page = try await HKAnchoredObjectQueryDescriptor(
      predicates: [heartRates], anchor: nil, limit: 2
    ).result(for: store)
    try await store.delete(page.addedSamples[0])
    try await store.compact()
    await #expect(throws: HKError.self) {
      try await HKAnchoredObjectQueryDescriptor(
        predicates: [heartRates], anchor: page.newAnchor, limit: 2
      ).result(for: store)
    }
  }
}
