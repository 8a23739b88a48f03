import Foundation

/// The stream's steps saved twice, the second time by another source and 30 seconds later, in a
/// separate store, and summed so that at each moment one source counts.
package struct MergeLoad {
  /// The lengths of the summed intervals, in milliseconds.
  static let intervals = [
    ("day", SampleStream.millisecondsPerDay), ("hour", SampleStream.millisecondsPerDay / 24),
  ]

  private let kind: PeerKind
  private let plan: PeerSession.Plan
  private let directory: String

  package init(_ kind: PeerKind, _ plan: PeerSession.Plan) {
    self.kind = kind
    self.plan = plan
    directory = "\(plan.directory)/healthstore-benchmark-merge-\(kind.name)"
  }

  /// Passes the steps of the two sources to the body alternately, a chunk at a time.
  static func forEachPart(
    _ plan: PeerSession.Plan, _ body: (_ samples: [StreamSample]) throws -> Void
  ) throws {
    var stream = try plan.loadOrder.samples(plan.samples, scratch: plan.directory)
    var sequence: UInt64 = 0
    for start in stride(from: 0, to: plan.samples, by: 10_000) {
      let all = try stream.next(min(10_000, plan.samples - start))
      let steps = all.filter { $0.type == StreamType.steps.rawValue }
      for source in 0..<2 as Range<UInt8> {
        try body(
          steps.map { sample in
            sequence += 1
            var sample = sample
            sample.sequence = sequence
            sample.identifier = StreamIdentifier(sequence: sequence)
            sample.subject = 0
            sample.source = source
            sample.start += Int64(source) * 30_000
            sample.end += Int64(source) * 30_000
            return sample
          })
      }
    }
  }

  /// Returns a figure for each interval, or none for a peer that cannot merge.
  package func measure() throws -> [Measurement] {
    try? FileManager.default.removeItem(atPath: directory)
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: directory) }
    guard let peer = try kind.open(directory, plan) as? any SourceMerging else { return [] }
    try peer.beginBulk()
    try Self.forEachPart(plan) { try peer.ingestBulk($0[...]) }
    try peer.endBulk()
    try peer.compact()
    let results = try Self.intervals.map { name, interval in
      try Self.measure(name, plan) {
        try peer.mergedSums(of: StreamSeries(subject: 0, type: .steps), every: interval)
      }
    }
    try peer.close()
    return results
  }

  /// Repeats the query for the sums of the named interval.
  static func measure(
    _ name: String, _ plan: PeerSession.Plan, _ query: () throws -> [IntervalSum]
  ) throws -> Measurement {
    var digest = Digest()
    let costs = try (0..<plan.repetitions).map { _ in
      let watch = Stopwatch()
      let sums = try query()
      let seconds = watch.seconds
      digest = Digest()
      for sum in sums { digest.add(sum) }
      return seconds * 1e3
    }
    guard digest.count > 0 else { throw BenchmarkError.failed("there are no statistics.") }
    return Measurement("steps of two sources, merged by \(name)", "ms", .less, costs, digest)
  }
}
