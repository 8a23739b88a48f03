import BenchmarkKit
import Foundation
import Testing

@Suite("Statistics of our store alone")
struct StatisticsLoadTests {
  @Test("have a figure for days, hours and updates, and leave no files")
  func figures() async throws {
    let directory = NSTemporaryDirectory() + "benchmark-tests-\(UUID())"
    try FileManager.default.createDirectory(
      atPath: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: directory) }
    var plan = PeerSession.Plan()
    plan.directory = directory
    plan.repetitions = 2
    plan.samples = 1_000
    let load = StatisticsLoad(plan, days: 2, saves: 3)
    let merged = try await onThread { try load.merged() }
    #expect(merged.map(\.unit) == ["ms", "ms"])
    #expect(merged.allSatisfy { $0.values.count == 2 && $0.minimum > 0 })
    let updates = try await onThread { try load.updates() }
    #expect(updates.map(\.unit) == ["µs", "µs"])
    #expect(updates.allSatisfy { $0.minimum > 0 })
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory).isEmpty)
  }
}
