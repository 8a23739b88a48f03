import HealthStore
import Testing

@Suite struct ManyObjectsTests {
  @Test func `Objects of several threads are delivered in order, each once`() async throws {
    let store = HKHealthStore.inMemory()
    let steps = HKQuantityType(.stepCount)
    let count = 70_000
    let samples = (0..<count).map { number in
      let date = Date(timeIntervalSinceReferenceDate: Double(number))
      return HKQuantitySample(
        type: steps, quantity: HKQuantity(unit: .count(), doubleValue: Double(number)),
        start: date, end: date)
    }
    try await store.save(samples)
    let query = HKSampleQueryDescriptor(
      predicates: [.quantitySample(type: steps)],
      sortDescriptors: [SortDescriptor(\.startDate, order: .forward)])
    let found = try await query.result(for: store)
    #expect(found.count == count)
    #expect(found.map(\.uuid) == samples.map(\.uuid))
    #expect(found.map { $0.quantity.doubleValue(for: .count()) } == (0..<count).map(Double.init))
    #expect(found.allSatisfy { $0 is HKCumulativeQuantitySample })
  }
}
