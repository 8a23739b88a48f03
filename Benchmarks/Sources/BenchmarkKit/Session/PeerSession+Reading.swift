extension PeerSession {
  private var days: Int { max(1, sampleCount / LoadOrder.samplesPerDay) }

  /// One type of every subject.
  func series(_ type: StreamType) -> [StreamSeries] {
    (0..<plan.loadOrder.subjects).map { StreamSeries(subject: UInt32($0), type: type) }
  }

  private func series(_ type: StreamType, _ random: inout SplitMix) -> StreamSeries {
    let count = UInt64(plan.loadOrder.subjects)
    return StreamSeries(
      subject: count == 1 ? 0 : UInt32(random.next() % count), type: type)
  }

  func day() throws -> [Measurement] {
    let peer = try peer()
    var medians: [Double] = []
    var rates: [Double] = []
    let digest = try repeated(plan.repetitions, scenario: .day) { digest in
      var random = SplitMix(seed: 42)
      var latencies: [Double] = []
      let all = Stopwatch()
      for _ in 0..<200 {
        let day = Int64(random.next() % UInt64(days))
        let start = SampleStream.epoch + day * SampleStream.millisecondsPerDay
        let wanted = series(.heartRate, &random)
        let watch = Stopwatch()
        try peer.rows(
          of: wanted, in: start..<start + SampleStream.millisecondsPerDay, into: &digest)
        latencies.append(watch.seconds * 1e6)
      }
      rates.append(Double(digest.count) / all.seconds)
      medians.append(latencies.percentile(0.5))
    }
    return [
      Measurement("a day of heart rate, p50", "µs", .less, medians, digest),
      Measurement("… rows", "rows/s", .more, rates),
    ]
  }

  func scan() throws -> Measurement {
    let peer = try peer()
    var rates: [Double] = []
    let digest = try repeated(plan.repetitions, scenario: .scan) { digest in
      let watch = Stopwatch()
      for wanted in series(.heartRate) {
        try peer.rows(of: wanted, in: 0..<Int64.max / 2, into: &digest)
      }
      rates.append(Double(digest.count) / watch.seconds)
    }
    return Measurement("scan of heart rate", "rows/s", .more, rates, digest)
  }

  func newest() throws -> Measurement {
    let peer = try peer()
    var costs: [Double] = []
    let calls = 2000
    let digest = try repeated(plan.repetitions, scenario: .newest) { digest in
      var random = SplitMix(seed: 41)
      let watch = Stopwatch()
      for _ in 0..<calls / StreamType.allCases.count {
        for type in StreamType.allCases {
          try peer.newest(of: series(type, &random), into: &digest)
        }
      }
      costs.append(watch.seconds / Double(calls) * 1e6)
    }
    return Measurement("newest of a type", "µs", .less, costs, digest)
  }

  /// The number of samples that every peer looks up by identifier.
  static let fewLookUps = 100

  func lookUp() throws -> [Measurement] {
    let peer = try peer()
    var medians: [Double] = []
    var tails: [Double] = []
    // The digest of the look-ups common to all peers. Peers with more are compared by the rest as
    // well.
    var first = Digest()
    let digest = try repeated(plan.repetitions, scenario: .uuid) { digest in
      var random = SplitMix(seed: 43)
      var latencies: [Double] = []
      for number in 0..<peer.lookUpCount {
        if number == Self.fewLookUps { first = digest }
        let sequence = 1 + random.next() % UInt64(sampleCount)
        let identifier = StreamIdentifier(sequence: sequence)
        let watch = Stopwatch()
        try peer.row(identifier, into: &digest)
        latencies.append(watch.seconds * 1e6)
      }
      medians.append(latencies.percentile(0.5))
      tails.append(latencies.percentile(0.99))
    }
    let hasMore = peer.lookUpCount > Self.fewLookUps
    return [
      Measurement("by uuid, p50", "µs", .less, medians, hasMore ? first : digest),
      Measurement("… p99", "µs", .less, tails, hasMore ? digest : nil),
    ]
  }

  /// Repeats a read, which must return the same rows every time.
  func repeated(
    _ times: Int, scenario: Scenario, into empty: Digest = Digest(),
    _ read: (inout Digest) throws -> Void
  ) throws -> Digest {
    var first: Digest?
    for _ in 0..<times {
      var digest = empty
      try read(&digest)
      guard digest == first ?? digest else {
        throw BenchmarkError.wrongAnswer(
          peer: kind.name, scenario: scenario.rawValue, problem: "repetitions differ."
        )
      }
      first = digest
    }
    return first ?? empty
  }
}
