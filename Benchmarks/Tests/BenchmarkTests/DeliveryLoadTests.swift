import BenchmarkKit
import Foundation
import Testing

@Suite("Saving what is delivered in the background")
struct DeliveryLoadTests {
  @Test("has a figure of every repetition, each of deliveries that were made, and leaves no files")
  func figures() async throws {
    let directory = NSTemporaryDirectory() + "benchmark-tests-\(UUID())"
    try FileManager.default.createDirectory(
      atPath: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: directory) }
    var plan = PeerSession.Plan()
    plan.directory = directory
    plan.repetitions = 2
    plan.observers = [3, 1_001]
    let results = try await onThread { [plan] in try DeliveryLoad(plan, turns: 2).measure() }
    #expect(results.count == 6)
    #expect(results.allSatisfy { $0.values.count == 2 })
    #expect([0, 3].allSatisfy { results[$0].minimum > 0 })
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory).isEmpty)
    plan.observers = []
    #expect(try DeliveryLoad(plan).measure().isEmpty)
  }
}
