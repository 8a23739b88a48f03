import Foundation
import SampleLogSimulation

/// Runs simulated histories of a primary, its replicas and their stream, and says whether each
/// keeps what Docs/replication.md promises.
@main struct ProveReplicas {
  private static let usage = """
    usage: ProveReplicas [--histories N] [--seed S] [--minutes M] [--threads N]
           ProveReplicas --replay SEED [--keep 0,1,2]

      --histories N  stop after N histories (5000)
      --minutes M    stop after M minutes; without --histories, not before
      --seed S       begin with this seed (0)
      --threads N    run so many at once (as many as there are processors)
      --replay SEED  run one history
      --keep LIST    take only these of its steps
    """

  static func main() {
    var histories: UInt64?
    var minutes: UInt64?
    var seed: UInt64 = 0
    var threads = ProcessInfo.processInfo.activeProcessorCount
    var replayed: UInt64?
    var keep: [Int]?
    var rest = CommandLine.arguments.dropFirst()
    while let name = rest.popFirst() {
      guard let text = rest.popFirst() else { return refuse() }
      switch (name, UInt64(text)) {
      case ("--histories", let number?): histories = number
      case ("--minutes", let number?): minutes = number
      case ("--seed", let number?): seed = number
      case ("--threads", let number?): threads = Int(clamping: number)
      case ("--replay", let number?): replayed = number
      case ("--keep", _): keep = text.split(separator: ",").compactMap { Int($0) }
      default: return refuse()
      }
    }
    if let replayed {
      let cluster = run(ClusterPlan(seed: replayed, keep: keep))
      for breach in cluster.breaches { print(breach) }
      print(cluster.breaches.isEmpty ? "Nothing is wrong." : "\(cluster.breaches.count) breaches.")
      exit(cluster.breaches.isEmpty ? 0 : 1)
    }
    let deadline = minutes.map { ContinuousClock.now + .seconds($0 * 60) }
    let wanted = histories ?? (minutes == nil ? 5000 : .max)
    exit(prove(wanted, until: deadline, from: seed, threads: threads))
  }

  private static func refuse() {
    print(usage)
    exit(2)
  }

  private static func run(_ plan: ClusterPlan) -> SimulatedCluster {
    let cluster = SimulatedCluster(plan)
    cluster.run()
    return cluster
  }

  private static func prove(
    _ histories: UInt64, until deadline: ContinuousClock.Instant?, from first: UInt64, threads: Int
  ) -> Int32 {
    let start = ContinuousClock.now
    let runs = NumberedRuns<ClusterFigures, Failure>(threads: threads, sum: ClusterFigures())
    do throws(Failure) {
      try runs.run {
        $0 < histories && deadline.map { ContinuousClock.now < $0 } ?? true
      } _: { number throws(Failure) in
        let plan = ClusterPlan(seed: first &+ number)
        let cluster = run(plan)
        guard cluster.breaches.isEmpty else {
          throw Failure(plan: plan, breaches: cluster.breaches)
        }
        return { $0 += cluster.figures }
      }
    } catch {
      report(error.plan, error.breaches)
      return 1
    }
    let (number, figures) = runs.done
    let seconds = (ContinuousClock.now - start) / .seconds(1)
    print(
      """
      \(number) histories from seed \(first) in \(Int(seconds)) s: \(figures.steps) steps, none \
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
        \(figures.removedLogs) sealed logs removed by hand, \(figures.rebuilt) times their commits \
      published from segments
        \(figures.pages) pages of feeds, \(figures.refusals) anchors refused
      """)
    return 0
  }

  private struct Failure: Error {
    var plan: ClusterPlan
    var breaches: [String]
  }

  private static func report(_ plan: ClusterPlan, _ breaches: [String]) {
    print("Seed \(plan.seed) fails:")
    for breach in breaches.prefix(5) { print("  \(breach.prefix(2000))") }
    let kept = plan.smallestFailing()
    print("\(kept.count) of \(plan.words.count) steps suffice. To see it again:")
    print(
      "  swift run -c release ProveReplicas --replay \(plan.seed) --keep "
        + kept.map(String.init).joined(separator: ","))
  }
}
