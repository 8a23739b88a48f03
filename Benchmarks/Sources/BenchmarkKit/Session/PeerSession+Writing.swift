extension PeerSession {
  /// Saves into a new store in each repetition.
  func durable(batch: Int, total: Int) throws -> [Measurement] {
    let samples = try firstSamples(min(total, max(batch, sampleCount)))
    let expected = Digest(samples)
    var rates: [Double] = []
    var medians: [Double] = []
    for _ in 0..<plan.repetitions {
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
      Measurement("durable, \(batch) a commit", "samples/s", .more, rates, expected),
      Measurement("… a commit, p50", "µs", .less, medians),
    ]
  }

  /// Loads all samples, repeatedly if that is fast.
  ///
  /// The last load is kept for later scenarios.
  func bulk() throws -> [Measurement] {
    var rates: [Double] = []
    var digest = Digest()
    for _ in 0..<(sampleCount > 2_000_000 ? 1 : plan.repetitions) {
      let load = try load()
      rates.append(Double(sampleCount) / load.seconds)
      digest = load.digest
    }
    return [Measurement("bulk load", "samples/s", .more, rates, digest)]
  }

  /// Fills a new store.
  ///
  /// Generating the samples does not count, and the final flush does.
  func load() throws -> (seconds: Double, digest: Digest) {
    let peer = try freshPeer()
    var stream = try plan.loadOrder.samples(sampleCount, scratch: plan.directory)
    var expected = Digest()
    var seconds = 0.0
    try peer.beginBulk()
    for start in stride(from: 0, to: sampleCount, by: 10_000) {
      let samples = try stream.next(min(10_000, sampleCount - start))
      for sample in samples { expected.add(BenchmarkRow(sample)) }
      let watch = Stopwatch()
      try peer.ingestBulk(samples[...])
      seconds += watch.seconds
    }
    let watch = Stopwatch()
    try peer.endBulk()
    seconds += watch.seconds
    try peer.quiesce()
    peakBytes = Machine.peakMemory()
    try check(peer, against: expected, in: "bulk")
    reached(.loaded, next: UInt64(sampleCount) + 1)
    return (seconds, expected)
  }

  /// Deletes in as many parts as there are repetitions.
  func delete() throws -> Measurement {
    let peer = try peer()
    let doomed = (1...UInt64(sampleCount)).filter(StreamIdentifier.isDeletedLater)
    let identifiers = doomed.map { StreamIdentifier(sequence: $0) }
    let parts = plan.repetitions
    var rates: [Double] = []
    var sequence = state.nextSequence
    for part in 0..<parts {
      let bounds = identifiers.count * part / parts..<identifiers.count * (part + 1) / parts
      let watch = Stopwatch()
      for start in stride(from: bounds.lowerBound, to: bounds.upperBound, by: 1000) {
        let batch = identifiers[start..<min(start + 1000, bounds.upperBound)]
        try peer.delete(batch, firstSequence: sequence)
        sequence += UInt64(batch.count)
      }
      rates.append(Double(bounds.count) / watch.seconds)
    }
    reached(.thinned, next: sequence)
    var digest = Digest()
    try readChanges(of: peer, after: UInt64(sampleCount), into: &digest)
    return Measurement("delete by uuid", "deletions/s", .more, rates, digest)
  }

  /// Saves into the full store.
  func durableFull() throws -> Measurement {
    let peer = try peer()
    var rates: [Double] = []
    var expected = Digest()
    let first = state.nextSequence
    for _ in 0..<plan.repetitions {
      let samples = laterSamples(100_000)
      for sample in samples { expected.add(BenchmarkRow(sample)) }
      let watch = Stopwatch()
      for start in stride(from: 0, to: samples.count, by: 1000) {
        try peer.ingest(samples[start..<min(start + 1000, samples.count)])
      }
      rates.append(Double(samples.count) / watch.seconds)
      note(extraSamples: samples.count)
    }
    try peer.quiesce()
    try check(peer, against: expected, after: first - 1, in: "durable-full")
    return Measurement("durable, 1000 a commit, full store", "samples/s", .more, rates, expected)
  }

  /// The first samples of a load, in memory.
  func firstSamples(_ count: Int) throws -> [StreamSample] {
    var stream = try plan.loadOrder.samples(count, scratch: plan.directory)
    return try stream.next(count)
  }

  /// Samples later than those of the store, with the next sequence numbers.
  func laterSamples(_ count: Int) -> [StreamSample] {
    Self.laterSamples(count, first: state.nextSequence, plan: plan)
  }

  static func laterSamples(_ count: Int, first: UInt64, plan: Plan) -> [StreamSample] {
    var stream = SampleStream()
    // The dates increase with the number, so that each hundred thousand samples follow the previous
    // ones.
    let days = Int64(first) / Int64(LoadOrder.samplesPerDay) + 30
    return stream.next(count).enumerated().map { index, sample in
      var sample = sample
      sample.start += days * SampleStream.millisecondsPerDay
      sample.end += days * SampleStream.millisecondsPerDay
      sample.sequence = first + UInt64(index)
      sample.identifier = StreamIdentifier(sequence: sample.sequence)
      sample.subject = plan.loadOrder.subject(of: sample.sequence)
      return sample
    }
  }

  func check(
    _ peer: any BenchmarkPeer, against expected: Digest, after start: UInt64 = 0,
    in scenario: String
  ) throws {
    var digest = Digest()
    // This is not measured, and a column store reads a long batch much faster.
    try readChanges(of: peer, after: start, limit: 1_000_000, into: &digest)
    guard digest == expected else {
      let problem = "it gave back \(digest.count) of \(expected.count) rows, or changed them."
      throw BenchmarkError.wrongAnswer(peer: kind.name, scenario: scenario, problem: problem)
    }
  }
}

extension Digest {
  /// The expected digest of reading these samples in commit order.
  init(_ samples: [StreamSample]) {
    self.init()
    for sample in samples { add(BenchmarkRow(sample)) }
  }
}
