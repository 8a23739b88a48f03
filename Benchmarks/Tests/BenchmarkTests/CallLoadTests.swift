import BenchmarkKit
import Testing

@Suite("HealthKit's calls")
struct CallLoadTests {
  @Test("are answered alike by all stores, and have figures for each number of tasks")
  func figures() async throws {
    try await withEmptyDirectory { plan in
      (plan.subjectCounts, plan.tasks) = ([1, 3], [1, 4])
      let rows = try await onThread { [plan] in try CallLoad(plan, count: 8).measure() }
      // Eight calls on a quiet store and seven beside a saver have two percentiles and a rate, for
      // each store and number of tasks. The first eight also have their allocations.
      let (stores, tasks, sizes) = (4, 2, 2)
      let perSize: Int = (8 + 7) * stores * tasks * 3 + 8
      #expect(rows.count == sizes * perSize)
      let times = rows.filter { $0.unit == "µs" }
      #expect(times.allSatisfy { $0.minimum > 0 })
      #expect(Set(rows.map(\.unit)) == ["µs", "calls/s", ""])
    }
  }
}
