/// Repeats one scenario with our store for a profiler, and counts the disk operations of each
/// round.
struct Profile {
  private let scenario: Scenario
  private let plan: PeerSession.Plan
  private let seconds: Double

  init(_ scenario: Scenario, _ plan: PeerSession.Plan, seconds: Double) {
    self.scenario = scenario
    self.plan = plan
    self.seconds = seconds
  }

  /// Runs for the given time and returns the counts.
  func run() throws -> String {
    let disk = CountingFileSystem()
    let kind = PeerKind(name: "healthstore") { directory, plan in
      try HealthStorePeer(
        directory: directory, subjects: plan.loadOrder.subjects, fileSystem: disk)
    }
    var once = plan
    once.repetitions = 1
    let session = PeerSession(kind, plan: once)
    for step in session.steps(before: scenario) { _ = try session.run(step) }
    printError("profiling: \(scenario.rawValue)")
    let before = disk.counts
    let watch = Stopwatch()
    var rounds: [[Measurement]] = []
    repeat { rounds.append(try session.run(scenario)) } while watch.seconds < seconds
    let elapsed = watch.seconds
    let lines = counted(disk.counts - before, rounds: rounds.count)
    try session.finish()
    let spent = (elapsed / Double(rounds.count) * 1e3).short
    return
      (["\(scenario.rawValue): \(rounds.count) rounds, \(spent) ms each"]
      + figures(rounds) + lines).joined(separator: "\n")
  }

  private func figures(_ rounds: [[Measurement]]) -> [String] {
    (rounds.first ?? []).indices.map { position in
      var all = rounds[0][position]
      all.values = rounds.flatMap { $0[position].values }
      return "  \(all.title.padded(to: 36)) \(all.median.short) "
        + "(\(all.minimum.short)…\(all.maximum.short)) \(all.unit)"
    }
  }

  private func counted(_ counts: DiskCounts, rounds: Int) -> [String] {
    let figures = [
      ("files opened", counts.opens), ("reads", counts.reads), ("bytes read", counts.readBytes),
      ("writes", counts.writes), ("bytes written", counts.writtenBytes), ("syncs", counts.syncs),
    ]
    return figures.map { name, count in
      "  \((name + " a round").padded(to: 36)) \((Double(count) / Double(rounds)).short)"
    }
  }
}
