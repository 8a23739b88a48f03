import Foundation
import SampleLogSimulation

/// Runs simulated histories of the change feed and says whether each keeps every property.
@main struct ProveFeeds {
  static func main() {
    guard let options = ProofOptions(CommandLine.arguments.dropFirst()) else {
      print(ProofOptions.usage)
      exit(2)
    }
    if let seed = options.replay {
      exit(replay(FeedPlan(seed: seed, keep: options.keep), isLoud: options.isLoud))
    }
    let status = prove(options)
    exit(status == 0 && options.commits > 0 ? commit(options.commits) : status)
  }

  private static func prove(_ options: ProofOptions) -> Int32 {
    let start = ContinuousClock.now
    let runs = NumberedRuns<ProofFigures, Failure>(threads: options.threads, sum: ProofFigures())
    do throws(Failure) {
      try runs.run {
        options.mayGoOn($0, ContinuousClock.now - start)
      } _: { number throws(Failure) in
        let plan = FeedPlan(seed: options.seed &+ number)
        let simulation = FeedSimulation(plan)
        let found = simulation.run()
        if !found.isEmpty { throw .wrong(plan, found) }
        // Some are run twice: a seed that does not say everything could not be replayed.
        let isRepeated = plan.seed % 16 == 0
        if isRepeated {
          let again = FeedSimulation(plan)
          _ = again.run()
          guard again.history.events == simulation.history.events else { throw .different(plan) }
        }
        return {
          $0.add(simulation)
          if isRepeated { $0.repeated += 1 }
        }
      }
    } catch {
      report(error)
      return 1
    }
    let seconds = (ContinuousClock.now - start) / .seconds(1)
    print(runs.done.sum.text(from: options.seed, seconds: seconds))
    return 0
  }

  /// Looks for what a database keeps of commits that leave no more than was there before them.
  private static func commit(_ count: Int) -> Int32 {
    do {
      let commits = try RepeatedCommits()
      let before = try commits.run(1000)
      let grown = try commits.run(count).growth(since: before, allowing: 8)
      for one in grown { print("grows with commits: \(one)") }
      guard grown.isEmpty else { return 1 }
      print("\(count) commits, nothing of \(before.sizes.count) collections and classes grew")
      return 0
    } catch {
      print("FAILED \(error)")
      return 1
    }
  }

  private enum Failure: Error {
    case wrong(FeedPlan, [String])
    case different(FeedPlan)
  }

  private static func replay(_ plan: FeedPlan, isLoud: Bool) -> Int32 {
    let simulation = FeedSimulation(plan)
    let found = simulation.run()
    if isLoud { for event in simulation.history.events { print(event) } }
    for one in found { print(one) }
    print(found.isEmpty ? "Nothing is wrong." : "\(found.count) breaches.")
    return found.isEmpty ? 0 : 1
  }

  private static func report(_ failure: Failure) {
    switch failure {
    case .wrong(let plan, let found): report(plan, found)
    case .different(let plan): print("Seed \(plan.seed) gave two different histories.")
    }
  }

  private static func report(_ plan: FeedPlan, _ found: [String]) {
    print("Seed \(plan.seed) fails:")
    for one in found.prefix(5) { print("  \(one.prefix(2000))") }
    let kept = Shrinking.smallest(plan)
    print("\(kept.count) of \(plan.words.count) steps suffice. To see it again:")
    print(
      "  swift run -c release ProveFeeds --replay \(plan.seed) --keep "
        + kept.map(String.init).joined(separator: ",") + " --loud")
  }
}
