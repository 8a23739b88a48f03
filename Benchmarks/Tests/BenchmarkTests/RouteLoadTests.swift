import BenchmarkKit
import Testing

@Suite("Routes in a separate store")
struct RouteLoadTests {
  @Test("have figures of saving, reading and size for both kinds of numbers, and leave no files")
  func figures() async throws {
    try await withEmptyDirectory { plan in
      let results = try await onThread { [plan] in
        try RouteLoad(plan, points: 1_500, routes: 3).measure()
      }
      #expect(results.map(\.unit) == ["ms", "ms", "B/point", "ms", "ms", "B/point"])
      #expect(results.map(\.values.count) == [3, 3, 1, 3, 3, 1])
      #expect(results.allSatisfy { $0.minimum > 0 })
      #expect(results[2].median < results[5].median)
    }
  }
}
