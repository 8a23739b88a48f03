import BenchmarkKit
import Testing

@Suite("Saving with background delivery")
struct DeliveryLoadTests {
  @Test("has a figure of every repetition with completed deliveries, and leaves no files")
  func figures() async throws {
    try await withEmptyDirectory { plan in
      plan.observers = [3, 1_001]
      let results = try await onThread { [plan] in try DeliveryLoad(plan, turns: 2).measure() }
      #expect(results.count == 6)
      #expect(results.allSatisfy { $0.values.count == 2 })
      #expect([0, 3].allSatisfy { results[$0].minimum > 0 })
      plan.observers = []
      #expect(try DeliveryLoad(plan).measure().isEmpty)
    }
  }
}
