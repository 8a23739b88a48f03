extension PeerSession {
  func catchUp() throws -> Measurement {
    let peer = try peer()
    var rates: [Double] = []
    let digest = try repeated(plan.repetitions, scenario: .catchUp) { digest in
      let watch = Stopwatch()
      let start = UInt64(max(0, sampleCount - 1_000_000))
      try readChanges(of: peer, after: start, into: &digest)
      rates.append(Double(digest.count) / watch.seconds)
    }
    return Measurement("catch-up, last million", "changes/s", .more, rates, digest)
  }

  func catchUpOfType() throws -> Measurement {
    let peer = try peer()
    var costs: [Double] = []
    let digest = try repeated(plan.repetitions, scenario: .catchUpOfType) { digest in
      let watch = Stopwatch()
      try readChanges(of: peer, after: 0, type: .glucose, into: &digest)
      costs.append(watch.seconds * 1e3)
    }
    return Measurement("catch-up of glucose from 0", "ms", .less, costs, digest)
  }

  func poll() throws -> Measurement {
    let peer = try peer()
    let polls = 20_000
    var everything = Digest()
    let last = try readChanges(of: peer, after: UInt64(sampleCount), into: &everything)
    var costs: [Double] = []
    let digest = try repeated(plan.repetitions, scenario: .poll) { digest in
      let watch = Stopwatch()
      for _ in 0..<polls {
        _ = try peer.changes(after: last, of: nil, limit: 1000, into: &digest)
      }
      costs.append(watch.seconds / Double(polls) * 1e6)
    }
    return Measurement("poll with nothing new", "µs", .less, costs, digest)
  }

  /// Reads changes in batches until there are no more.
  ///
  /// - Returns: The sequence number of the last change.
  @discardableResult
  func readChanges(
    of peer: any ChangeReading, after start: UInt64, type: StreamType? = nil, limit: Int = 1000,
    into digest: inout Digest
  ) throws -> UInt64 {
    var last = start
    while true {
      let next = try peer.changes(after: last, of: type, limit: limit, into: &digest)
      if next == last { return last }
      last = next
    }
  }
}
