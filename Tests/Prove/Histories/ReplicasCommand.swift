import SampleLogSimulation

/// Histories of a primary, its replicas and their stream; checks the guarantees in
/// Docs/replication.md.
enum ReplicasCommand: ProvenHistory {
  static let name = "replicas"
  static let count: UInt64 = 5000
  static let none = ClusterFigures()
  static let usage = HistoryProof.usage(name, count: count, more: "")

  static func run(_ words: ArraySlice<String>) throws -> Bool {
    let arguments = try Arguments(words, options: HistoryProof.options)
    return try HistoryProof(arguments).run(Self.self)
  }

  static func history(
    _ seed: UInt64, keep: [Int]?, isLoud: Bool
  ) -> (breaches: [String], add: (inout ClusterFigures) -> Void) {
    let cluster = SimulatedCluster(ClusterPlan(seed: seed, keep: keep))
    cluster.run()
    return (cluster.breaches, { $0 += cluster.figures })
  }

  static func smallest(_ seed: UInt64) -> (kept: [Int], count: Int) {
    let plan = ClusterPlan(seed: seed)
    return (plan.smallestFailing(), plan.words.count)
  }

  static func text(_ figures: ClusterFigures, _ count: UInt64, _ proof: HistoryProof) -> String {
    """
    \(count) histories from seed \(proof.seed) in \(proof.seconds) s: \(figures.steps) steps, none \
    wrong
      \(figures.commits) commits, \(figures.replicated) of them acknowledged as replicated; \
    \(figures.kept) of their samples looked for at the end
      \(figures.copied) acknowledged when other machines had them, \(figures.disks) disks lost; \
    \(figures.behind) promotions refused for a replica that was ahead, \(figures.unreported) \
    samples lost by those that no report of them had reached
      \(figures.deaths) deaths, \(figures.promotions) promotions, \(figures.unpublished) \
    primaries back with commits of their own
      \(figures.losses) losses of the stream, \(figures.lost) replicas that needed a backup
      \(figures.offline) times a program without the stream opened a primary's store, \
    \(figures.gaps) steps of publishers behind a gap
      \(figures.restored) stores of primaries restored, \(figures.repaired) repaired
      \(figures.removedLogs) sealed logs removed by hand, \(figures.rebuilt) times their commits \
    published from segments
      \(figures.pages) pages of feeds, \(figures.refusals) anchors refused
    """
  }
}
