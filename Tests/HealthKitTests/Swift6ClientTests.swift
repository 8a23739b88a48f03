import HealthKit
import Swift6Client
import Testing

@Suite struct Swift6ClientTests {
  @Test func `handlers that capture non-Sendable values build in Swift 6 mode and are called`()
    async throws
  {
    let store = HKHealthStore.inMemory()
    let beat = try HKQuantitySample.validated(
      type: heartRate, quantity: HKQuantity(unit: HKUnit(from: "count/min"), doubleValue: 64),
      start: Date(), end: Date())
    let events = await withCheckedContinuation { continuation in
      let controller = HeartRateController(store: store)
      controller.run(beat) { continuation.resume(returning: controller.events) }
    }
    #expect(
      events == [
        "authorised true", "status 2", "saved true", "unit count/min", "read 1", "read 1",
        "changes 1 0", "sources 1", "mean 64.0", "meals 0", "days 0", "observed",
        "delivery true", "deleted true false", "deleted true 0",
      ])
  }

  @Test func `a subclass may override a query's properties and handlers`() {
    let anchored = RecordedAnchoredQuery(
      type: heartRate, predicate: NSPredicate(value: true), anchor: nil, limit: 0
    ) { _, _, _, _, _ in }
    anchored.updateHandler = { _, _, _, _, _ in }
    let query: HKQuery = anchored
    #expect(anchored.handlersSet == 1)
    #expect(query.predicate == nil)
    #expect(query.sampleType == steps)
    let samples: HKSampleQuery = RecordedSampleQuery(
      sampleType: steps, predicate: nil, limit: 1, sortDescriptors: nil
    ) { _, _, _ in }
    #expect(samples.limit == 7)
    #expect(samples.sortDescriptors == [])
  }
}
