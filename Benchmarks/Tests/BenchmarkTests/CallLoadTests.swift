import BenchmarkKit
import Testing

@Suite("HealthKit's calls")
struct CallLoadTests {
  @Test("have equal answers in all stores, and measurements for each number of tasks")
  func figures() async throws {
    try await withEmptyDirectory { plan in
      (plan.subjectCounts, plan.tasks) = ([1, 3], [1, 4])
      let rows = try await onThread { [plan] in try CallLoad(plan, count: 8).measure() }
      // Eight calls on an idle store and seven during saves, on four stores, from one task and from
      // four, with two percentiles and a rate each. Calls on an idle store also have allocations.
      #expect(rows.count == 2 * (2 * 15 * 4 * 3 + 8))
      let times = rows.filter { $0.unit == "µs" }
      #expect(times.allSatisfy { $0.minimum > 0 })
      #expect(Set(rows.map(\.unit)) == ["µs", "calls/s", ""])
    }
  }
}
