import BenchmarkKit
import Testing

@Suite("Saving with other people's observers")
struct ObserverLoadTests {
  @Test("has a figure of every repetition for every number of observers, and leaves no files")
  func figures() async throws {
    try await withEmptyDirectory { plan in
      // More observers than people, so that some people have two.
      plan.observers = [3, 1_001]
      let results = try await onThread { [plan] in try ObserverLoad(plan, turns: 2).measure() }
      let ofUnit = Dictionary(grouping: results, by: \.unit)
      let saves = try #require(ofUnit["µs"])
      #expect(saves.count == 6)
      #expect(saves.allSatisfy { $0.values.count == 2 && $0.minimum > 0 })
      let ratios = try #require(ofUnit["×"])
      #expect(ratios.count == 4)
      #expect(ratios.allSatisfy { $0.values.count == 2 })
      let spans = try #require(ofUnit["ms"])
      #expect(spans.count == 4)
      #expect(spans.allSatisfy { $0.values.count == 4 && $0.minimum > 0 })
      #if os(Linux)
        #expect(results.last?.unit == "threads")
        #expect(results.last?.minimum ?? 0 >= 1)
      #endif
    }
  }
}
