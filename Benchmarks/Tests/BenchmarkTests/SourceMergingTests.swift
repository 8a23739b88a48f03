import BenchmarkKit
import Foundation
import Testing

@Suite("Every peer that merges sources")
struct SourceMergingTests {
  private static let names = PeerKind.others.map(\.name).filter { name in
    name.hasPrefix("sqlite") || name == "duckdb"
  }
  private static let hour: Int64 = 3_600_000

  /// The hourly sums of two sources' samples, each with a start, an end and a value, in minutes.
  private func sums(
    _ name: String, _ first: [(Int64, Int64, Double)], _ second: [(Int64, Int64, Double)]
  ) throws -> [Double] {
    let directory = NSTemporaryDirectory() + "benchmark-tests-\(UUID())"
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let kind = try #require(PeerKind.others.first { $0.name == name })
    let peer = try #require(
      try kind.open(directory, PeerSession.Plan()) as? any SourceMerging)
    var samples: [StreamSample] = []
    for (source, spans) in [first, second].enumerated() {
      for (start, end, value) in spans {
        var sample = StreamSample()
        sample.sequence = UInt64(samples.count + 1)
        sample.identifier = StreamIdentifier(sequence: sample.sequence)
        sample.type = StreamType.steps.rawValue
        sample.source = UInt8(source)
        sample.start = start * 60_000
        sample.end = end * 60_000
        sample.value = value
        samples.append(sample)
      }
    }
    try peer.ingest(samples[...])
    let sums = try peer.mergedSums(
      of: StreamSeries(subject: 0, type: .steps), every: Self.hour)
    #expect(sums.map(\.start) == sums.map(\.start).sorted())
    try peer.close()
    return sums.map { ($0.sum * 1000).rounded() / 1000 }
  }

  @Test("counts the second source in the gaps of the first", arguments: names)
  func gaps(name: String) throws {
    #expect(try sums(name, [(0, 10, 100)], [(5, 25, 40)]) == [130])
    #expect(try sums(name, [(10, 20, 100)], [(0, 30, 30)]) == [120])
    #expect(try sums(name, [(0, 10, 100)], [(10, 20, 7)]) == [107])
  }

  @Test("divides a sample among its hours in proportion", arguments: names)
  func proportion(name: String) throws {
    #expect(try sums(name, [(50, 200, 150)], []) == [10, 60, 60, 20])
    #expect(try sums(name, [(0, 60, 8)], [(120, 180, 9)]) == [8, 9])
  }

  @Test("adds overlapping samples of one source", arguments: names)
  func overlap(name: String) throws {
    #expect(try sums(name, [(0, 20, 20), (10, 30, 40)], [(0, 40, 40)]) == [70])
  }
}
