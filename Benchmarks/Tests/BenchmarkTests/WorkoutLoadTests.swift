import BenchmarkKit
import Testing

@Suite("Workouts among heart rates")
struct WorkoutLoadTests {
  @Test("are found with their samples, by activity and by year, and leave no files")
  func figures() async throws {
    try await withEmptyDirectory { plan in
      plan.samples = 3_000
      let results = try await onThread { [plan] in
        try WorkoutLoad(plan, workouts: 200, members: 50).measure()
      }
      #expect(results.map(\.unit) == ["ms", "ms"])
      #expect(results.allSatisfy { $0.values.count == 20 && $0.minimum > 0 })
    }
  }
}
