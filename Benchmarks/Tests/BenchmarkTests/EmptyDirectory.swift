import BenchmarkKit
import Foundation
import Testing

/// Runs a benchmark of two repetitions in an empty directory, which must be empty afterwards.
func withEmptyDirectory(
  _ body: (inout PeerSession.Plan) async throws -> Void
) async throws {
  let directory = NSTemporaryDirectory() + "benchmark-tests-\(UUID())"
  try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(atPath: directory) }
  var plan = PeerSession.Plan()
  plan.directory = directory
  plan.repetitions = 2
  try await body(&plan)
  #expect(try FileManager.default.contentsOfDirectory(atPath: directory).isEmpty)
}
