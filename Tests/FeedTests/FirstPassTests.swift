import Foundation
import HealthStore
import SampleLog
import Testing

/// Reading everything from the beginning, page by page, in a store that has forgotten deletions.
@Suite struct FirstPassTests {
  private let heartRate = HKQuantityType(.heartRate)

  /// A store whose floor lies behind its first live samples.
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

  @Test func `A first pass in pages goes on although deletions were forgotten before it`()
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
      // As a program does that keeps the anchor between two runs.
      let archive = try NSKeyedArchiver.archivedData(
        withRootObject: page.newAnchor, requiringSecureCoding: true)
      anchor = try NSKeyedUnarchiver.unarchivedObject(ofClass: HKQueryAnchor.self, from: archive)
    }
    #expect(values == [0, 1, 2, 3, 4])
  }

  @Test func `A sequence with a limit reads its first pass to the end`() async throws {
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

  @Test func `A place in a first pass expires when what it has seen is forgotten`() async throws {
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
