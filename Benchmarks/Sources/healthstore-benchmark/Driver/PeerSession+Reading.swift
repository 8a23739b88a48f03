extension PeerSession {
  private var days: Int {
    // A day of the stream has 22,106 samples.
    max(1, sampleCount / 22_106)
  }

  func day() throws -> [Measurement] {
    let peer = try peer()
    var medians: [Double] = []
    var rates: [Double] = []
    let digest = try repeated(3, scenario: .day) { digest in
      var random = SplitMix(seed: 42)
      var latencies: [Double] = []
      let all = Stopwatch()
      for _ in 0..<200 {
        let day = Int64(random.next() % UInt64(days))
        let start = SampleStream.epoch + day * SampleStream.millisecondsPerDay
        let watch = Stopwatch()
        try peer.rows(
          of: .heartRate, in: start..<start + SampleStream.millisecondsPerDay, into: &digest
        )
        latencies.append(watch.seconds * 1e6)
      }
      rates.append(Double(digest.count) / all.seconds)
      medians.append(latencies.percentile(0.5))
    }
    return [
      Measurement(
        title: "a day of heart rate, p50", unit: "µs", goal: .less, values: medians, digest: digest
      ),
      Measurement(title: "… rows", unit: "rows/s", goal: .more, values: rates, digest: nil),
    ]
  }

  func scan() throws -> Measurement {
    let peer = try peer()
    var rates: [Double] = []
    let digest = try repeated(3, scenario: .scan) { digest in
      let watch = Stopwatch()
      try peer.rows(of: .heartRate, in: 0..<Int64.max / 2, into: &digest)
      rates.append(Double(digest.count) / watch.seconds)
    }
    return Measurement(
      title: "scan of heart rate", unit: "rows/s", goal: .more, values: rates, digest: digest
    )
  }

  func newest() throws -> Measurement {
    let peer = try peer()
    var costs: [Double] = []
    let calls = 2000
    let digest = try repeated(3, scenario: .newest) { digest in
      let watch = Stopwatch()
      for _ in 0..<calls / StreamType.allCases.count {
        for type in StreamType.allCases { try peer.newest(of: type, into: &digest) }
      }
      costs.append(watch.seconds / Double(calls) * 1e6)
    }
    return Measurement(
      title: "newest of a type", unit: "µs", goal: .less, values: costs, digest: digest
    )
  }

  func above() throws -> Measurement {
    let peer = try peer()
    let year = SampleStream.epoch..<SampleStream.epoch + 365 * SampleStream.millisecondsPerDay
    var costs: [Double] = []
    let digest = try repeated(3, scenario: .above) { digest in
      let watch = Stopwatch()
      try peer.rows(of: .heartRate, in: year, above: 150, into: &digest)
      costs.append(watch.seconds * 1e3)
    }
    return Measurement(
      title: "heart rate > 150, a year", unit: "ms", goal: .less, values: costs, digest: digest
    )
  }

  func lookUp() throws -> [Measurement] {
    let peer = try peer()
    var medians: [Double] = []
    var tails: [Double] = []
    let digest = try repeated(3, scenario: .uuid) { digest in
      var random = SplitMix(seed: 43)
      var latencies: [Double] = []
      for _ in 0..<20_000 {
        let sequence = 1 + random.next() % UInt64(sampleCount)
        let identifier = StreamIdentifier(sequence: sequence)
        let watch = Stopwatch()
        try peer.row(identifier, into: &digest)
        latencies.append(watch.seconds * 1e6)
      }
      medians.append(latencies.percentile(0.5))
      tails.append(latencies.percentile(0.99))
    }
    return [
      Measurement(title: "by uuid, p50", unit: "µs", goal: .less, values: medians, digest: digest),
      Measurement(title: "… p99", unit: "µs", goal: .less, values: tails, digest: nil),
    ]
  }

  func daily() throws -> Measurement {
    let peer = try peer()
    var costs: [Double] = []
    let digest = try repeated(3, scenario: .daily) { digest in
      let watch = Stopwatch()
      let days = try peer.days(of: .heartRate)
      costs.append(watch.seconds * 1e3)
      for day in days { digest.add(day) }
    }
    return Measurement(
      title: "daily aggregates", unit: "ms", goal: .less, values: costs, digest: digest
    )
  }

  /// Runs a read several times; it must read the same every time.
  func repeated(
    _ times: Int, scenario: Scenario, _ read: (inout Digest) throws -> Void
  ) throws -> Digest {
    var first: Digest?
    for _ in 0..<times {
      var digest = Digest()
      try read(&digest)
      guard digest == first ?? digest else {
        throw BenchmarkError.wrongAnswer(
          peer: kind.name, scenario: scenario.rawValue, problem: "repetitions differ."
        )
      }
      first = digest
    }
    return first ?? Digest()
  }
}
