import SampleLogSimulation

/// Histories of the change feed: writers, readers, compactions, crashes.
enum HistoriesCommand: ProvenHistory {
  static let name = "histories"
  static let count: UInt64 = 2000
  static let none = FeedFigures()
  static let usage = HistoryProof.usage(
    name, count: count,
    more: """
        --loud         print everything that happens
        --commits N    also make so many commits to one store, with every option set, and look for
                       what grows with them (0)

      """)

  static func run(_ words: ArraySlice<String>) throws -> Bool {
    let arguments = try Arguments(
      words, options: HistoryProof.options.union(["--commits"]), flags: ["--loud"])
    let commits = try arguments.number("--commits", in: 0...1 << 40) ?? 0
    guard try HistoryProof(arguments).run(Self.self) else { return false }
    return try commits == 0 || commit(commits)
  }

  static func history(
    _ seed: UInt64, keep: [Int]?, isLoud: Bool
  ) -> (breaches: [String], add: (inout FeedFigures) -> Void) {
    let plan = FeedPlan(seed: seed, keep: keep)
    let simulation = FeedSimulation(plan)
    var breaches = simulation.run()
    if isLoud { for event in simulation.history.events { print(event) } }
    // Some histories run twice: a seed that does not determine its history cannot be replayed.
    let isRepeated = seed % 16 == 0
    if isRepeated, breaches.isEmpty {
      let again = FeedSimulation(plan)
      _ = again.run()
      if again.history.events != simulation.history.events {
        breaches.append("The seed gave two different histories.")
      }
    }
    return (breaches, { $0.add(simulation, isRepeated: isRepeated) })
  }

  static func smallest(_ seed: UInt64) -> (kept: [Int], count: Int) {
    let plan = FeedPlan(seed: seed)
    return (Shrinking.smallest(plan), plan.words.count)
  }

  static func text(_ figures: FeedFigures, _ count: UInt64, _ proof: HistoryProof) -> String {
    figures.text(from: proof.seed, seconds: proof.seconds)
  }

  /// Checks that commits without a net effect leave no memory behind in a database.
  private static func commit(_ count: Int) throws -> Bool {
    let commits = try RepeatedCommits()
    let before = try commits.run(1000)
    let grown = try commits.run(count).growth(since: before, allowing: 8)
    for one in grown { print("grows with commits: \(one)") }
    guard grown.isEmpty else { return false }
    print("\(count) commits, nothing of \(before.sizes.count) collections and classes grew")
    return true
  }
}
