extension PeerSession {
  /// Saves into a fresh store, three times over.
  func durable(batch: Int, total: Int) throws -> [Measurement] {
    var stream = SampleStream()
    let samples = stream.next(min(total, max(batch, sampleCount)))
    var expected = Digest()
    for sample in samples { expected.add(BenchmarkRow(sample)) }
    var rates: [Double] = []
    var medians: [Double] = []
    for _ in 0..<3 {
      let peer = try freshPeer()
      var latencies: [Double] = []
      let watch = Stopwatch()
      for start in stride(from: 0, to: samples.count, by: batch) {
        let commit = Stopwatch()
        try peer.ingest(samples[start..<min(start + batch, samples.count)])
        latencies.append(commit.seconds * 1e6)
      }
      rates.append(Double(samples.count) / watch.seconds)
      medians.append(latencies.percentile(0.5))
      try check(peer, against: expected, in: "durable-\(batch)")
    }
    try finish()
    return [
      Measurement(
        title: "durable, \(batch) a commit", unit: "samples/s", goal: .more, values: rates,
        digest: expected
      ),
      Measurement(
        title: "… a commit, p50", unit: "µs", goal: .less, values: medians, digest: nil
      ),
    ]
  }

  /// Loads all samples, three times when that is quick; the last load stays for what follows.
  func bulk() throws -> [Measurement] {
    var rates: [Double] = []
    var digest = Digest()
    for _ in 0..<(sampleCount > 2_000_000 ? 1 : 3) {
      let load = try load()
      rates.append(Double(sampleCount) / load.seconds)
      digest = load.digest
    }
    return [
      Measurement(
        title: "bulk load", unit: "samples/s", goal: .more, values: rates, digest: digest
      )
    ]
  }

  /// Fills a fresh store; generating the samples does not count, the final flush does.
  func load() throws -> (seconds: Double, digest: Digest) {
    let peer = try freshPeer()
    var stream = SampleStream()
    var expected = Digest()
    var seconds = 0.0
    try peer.beginBulk()
    for start in stride(from: 0, to: sampleCount, by: 10_000) {
      let samples = stream.next(min(10_000, sampleCount - start))
      for sample in samples { expected.add(BenchmarkRow(sample)) }
      let watch = Stopwatch()
      try peer.ingestBulk(samples[...])
      seconds += watch.seconds
    }
    let watch = Stopwatch()
    try peer.endBulk()
    seconds += watch.seconds
    try peer.settle()
    try check(peer, against: expected, in: "bulk")
    reached(.loaded)
    return (seconds, expected)
  }

  /// Deletes in three parts, each of them a repetition.
  func delete() throws -> Measurement {
    let peer = try peer()
    let doomed = (1...UInt64(sampleCount)).filter(StreamIdentifier.isDeletedLater)
    let identifiers = doomed.map { StreamIdentifier(sequence: $0) }
    var rates: [Double] = []
    var sequence = UInt64(sampleCount) + 1
    for part in 0..<3 {
      let bounds = identifiers.count * part / 3..<identifiers.count * (part + 1) / 3
      let watch = Stopwatch()
      for start in stride(from: bounds.lowerBound, to: bounds.upperBound, by: 1000) {
        let batch = identifiers[start..<min(start + 1000, bounds.upperBound)]
        try peer.delete(batch, firstSequence: sequence)
        sequence += UInt64(batch.count)
      }
      rates.append(Double(bounds.count) / watch.seconds)
    }
    reached(.thinned)
    var digest = Digest()
    try readChanges(of: peer, after: UInt64(sampleCount), into: &digest)
    return Measurement(
      title: "delete by uuid", unit: "deletions/s", goal: .more, values: rates, digest: digest
    )
  }

  private func check(
    _ peer: any BenchmarkPeer, against expected: Digest, in scenario: String
  ) throws {
    var digest = Digest()
    try readChanges(of: peer, after: 0, into: &digest)
    guard digest == expected else {
      let problem = "it gave back \(digest.count) of \(expected.count) rows, or changed them."
      throw BenchmarkError.wrongAnswer(peer: kind.name, scenario: scenario, problem: problem)
    }
  }
}
