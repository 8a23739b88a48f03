import BenchmarkKit
import Testing

@Suite("Statistics in separate stores")
struct StatisticsLoadTests {
  @Test("have a figure for days, hours and updates, and leave no files")
  func figures() async throws {
    try await withEmptyDirectory { plan in
      plan.samples = 1_000
      let load = StatisticsLoad(plan, days: 2, saves: 3)
      let merged = try await onThread { try load.merged() }
      #expect(merged.map(\.unit) == ["ms", "ms"])
      #expect(merged.allSatisfy { $0.values.count == 2 && $0.minimum > 0 })
      let updates = try await onThread { try load.updates() }
      #expect(updates.map(\.unit) == ["µs", "µs"])
      #expect(updates.allSatisfy { $0.minimum > 0 })
    }
  }

  @Test("are the same from every peer that merges sources")
  func merged() async throws {
    try await withEmptyDirectory { plan in
      plan.samples = 100_000
      let own = try await onThread { [plan] in try StatisticsLoad(plan).merged() }
      #expect(own.map { $0.digest?.count } == [5, 109])
      for kind in PeerKind.others {
        let found = try await onThread { [plan] in try MergeLoad(kind, plan).measure() }
        guard !found.isEmpty else { continue }
        #expect(found.map(\.title) == own.map(\.title))
        #expect(found.map(\.digest) == own.map(\.digest), "\(kind.name)")
      }
    }
  }
}
