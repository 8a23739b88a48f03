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
    exit(prove(options))
  }

  private static func prove(_ options: ProofOptions) -> Int32 {
    let clock = ContinuousClock()
    let start = clock.now
    var figures = ProofFigures()
    var seed = options.seed
    while options.mayGoOn(figures.histories, clock.now - start) {
      let plan = FeedPlan(seed: seed)
      let simulation = FeedSimulation(plan)
      let found = simulation.run()
      if !found.isEmpty {
        report(plan, found)
        return 1
      }
      figures.add(simulation)
      // Some are run twice: a seed that does not say everything could not be replayed.
      if seed % 16 == 0 {
        let again = FeedSimulation(plan)
        _ = again.run()
        guard again.history.events == simulation.history.events else {
          print("Seed \(seed) gave two different histories.")
          return 1
        }
        figures.repeated += 1
      }
      seed += 1
    }
    print(figures.text(from: options.seed, seconds: (clock.now - start) / .seconds(1)))
    return 0
  }

  private static func replay(_ plan: FeedPlan, isLoud: Bool) -> Int32 {
    let simulation = FeedSimulation(plan)
    let found = simulation.run()
    if isLoud { for event in simulation.history.events { print(event) } }
    for one in found { print(one) }
    print(found.isEmpty ? "Nothing is wrong." : "\(found.count) breaches.")
    return found.isEmpty ? 0 : 1
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
