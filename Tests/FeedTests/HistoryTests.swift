import SampleLog
import Testing

@testable import SampleLogSimulation

/// Whole histories; `make histories` runs thousands of them.
@Suite struct HistoryTests {
  @Test(arguments: 0..<Trials.count(12, quick: 8))
  func `Every property holds for any mix of writers, readers, compactions and crashes`(
    seed: Int
  ) {
    #expect(FeedSimulation(FeedPlan(seed: UInt64(seed))).run() == [])
  }

  @Test(arguments: [3, 17])
  func `A seed determines every event of a history`(seed: UInt64) {
    let histories = (0..<2).map { _ in
      let simulation = FeedSimulation(FeedPlan(seed: seed))
      _ = simulation.run()
      return simulation.history.events
    }
    #expect(histories[0] == histories[1])
    #expect(histories[0].count > 100)
  }

  @Test(arguments: 100..<UInt64(Trials.count(106, quick: 103)))
  func `Clocks that stop, advance or jump affect only which deletions are forgotten`(
    seed: UInt64
  ) {
    let clocks: [FeedPlan.Clock] = [.still, .forward, .wild]
    let histories = clocks.map { clock -> [History.Event] in
      var plan = FeedPlan(seed: seed)
      plan.clock = clock
      plan.retention = 1e18
      let simulation = FeedSimulation(plan)
      #expect(simulation.run() == [])
      return simulation.history.events.compactMap { event in
        switch event {
        case .committed(var commit):
          commit.time = 0
          return .committed(commit)
        case .floor(let floor, _, _): return .floor(floor, now: 0, retention: 0)
        default: return event
        }
      }
    }
    #expect(histories[0] == histories[1])
    #expect(histories[0] == histories[2])
  }

  @Test func `A failing history is reduced to the steps that it needs`() {
    // A plan without steps violates nothing, so the smallest failing plan has at least one step.
    let plan = FeedPlan(seed: 1, keep: [0, 1, 2])
    #expect(plan.words.count == 3)
    #expect(FeedPlan(seed: 1, keep: [2]).words == [plan.words[2]])
  }
}
