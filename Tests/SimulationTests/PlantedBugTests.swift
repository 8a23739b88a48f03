import SampleLogSimulation
import Testing

/// The simulation detects planted bugs.
@Suite struct PlantedBugTests {
  private func failure(_ workload: Workload) -> SimulationFailure? {
    var explorer = Explorer()
    return #expect(throws: SimulationFailure.self) { try explorer.explore(workload) }
  }

  @Test(arguments: PlantedBug.allCases)
  func `A planted bug is detected and reduced to a few steps`(bug: PlantedBug) throws {
    var workload = Workload(
      [.save(3), .seal, .deleteOldest, .save(2), .seal, .acknowledge, .compact, .save(1), .reopen])
    workload.bug = bug
    let smallest = Shrinker.shrink(try #require(failure(workload)))
    #expect(smallest.workload.steps.count <= 2)
    // The printed text is enough to reproduce the failure.
    let text = try #require(smallest.description.split(separator: "'").dropFirst().first)
    let replayed = try #require(Workload(String(text)))
    #expect(replayed == smallest.workload)
    _ = try #require(failure(replayed))
  }

  @Test func `The same workload without a bug passes`() throws {
    let workload = Workload(
      [.save(3), .seal, .deleteOldest, .save(2), .seal, .acknowledge, .compact, .save(1), .reopen])
    var explorer = Explorer()
    try explorer.explore(workload)
  }

  @Test func `A workload survives a round trip through its text`() throws {
    for seed in UInt64(1)...50 {
      for workload in [Enumeration.random(seed: seed), Enumeration.merging(seed: seed)] {
        #expect(Workload(workload.description) == workload)
      }
    }
  }

  @Test(arguments: ["steps=q", "seed=x steps=s1", "steps=s0", "faults=sync steps=s1", "s1"])
  func `A text that is not a workload is rejected`(text: String) {
    #expect(Workload(text) == nil)
  }
}
