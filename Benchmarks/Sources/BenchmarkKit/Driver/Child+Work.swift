import Foundation

extension Child {
  /// Runs the work of a child process, as its parent requested with `--child`.
  static func work(_ words: [String], _ plan: PeerSession.Plan) throws {
    guard words.count > 1, let kind = PeerKind.named(words[1]) else {
      throw BenchmarkError.usage("--child is for this program's own use.")
    }
    switch (words[0], words.count) {
    case ("open", 2): try send(try open(kind, plan))
    case ("fill", 3): try fill(kind, plan, first: UInt64(words[2]) ?? 1)
    case ("scenario", 4):
      guard let scenario = Scenario(rawValue: words[2]) else { fallthrough }
      let state = try JSONDecoder().decode(PeerSession.State.self, from: Data(words[3].utf8))
      let session = PeerSession(kind, plan: plan, state: state)
      let measurements = try session.run(scenario)
      try session.closePeer()
      try send(
        Outcome(
          measurements: measurements, state: session.state,
          peakBytes: session.peakBytes ?? Machine.peakMemory()))
    default: throw BenchmarkError.usage("--child is for this program's own use.")
    }
  }

  private static func open(_ kind: PeerKind, _ plan: PeerSession.Plan) throws -> Opening {
    // A process that reads one person's data interns no other names.
    var plan = plan
    plan.loadOrder.subjects = 1
    let session = PeerSession(kind, plan: plan)
    let opening = Stopwatch()
    let peer = try session.peer()
    let open = opening.seconds
    var digest = Digest()
    let reading = Stopwatch()
    try peer.newest(of: StreamSeries(subject: 0, type: .glucose), into: &digest)
    let read = reading.seconds
    try session.closePeer()
    return Opening(open: open, read: read, digest: digest)
  }

  private static func fill(_ kind: PeerKind, _ plan: PeerSession.Plan, first: UInt64) throws {
    let peer = try PeerSession(kind, plan: plan).peer()
    let samples = PeerSession.laterSamples(fillCount, first: first, plan: plan)
    for start in stride(from: 0, to: samples.count, by: 1000) {
      try peer.ingest(samples[start..<start + 1000])
    }
    kill(getpid(), SIGKILL)
  }

  private static func send<Value: Encodable>(_ value: Value) throws {
    FileHandle.standardOutput.write(try JSONEncoder().encode(value))
  }
}
