import Foundation
import SampleLog
import SampleLogSimulation
import Testing

@testable import HealthStore

/// Failures, back-off and reset while savers, an observer, its handler and the clock take steps in
/// a seeded order.
@Suite struct DeliveryScheduleTests {
  /// An observer whose acknowledgements are scheduled like all other steps.
  private final class Observer: @unchecked Sendable {
    // All steps run on the test's thread.
    private(set) var callCount = 0
    private var unanswered: [HKObserverQueryCompletionHandler] = []
    var acknowledges = false

    func query(_ executor: SeededExecutor) -> HKObserverQuery {
      HKObserverQuery(sampleType: testHeartRate, predicate: nil) { [self] _, completion, error in
        #expect(error == nil)
        callCount += 1
        unanswered.append(completion)
        if acknowledges { acknowledge(executor) }
      }
    }

    /// Schedules acknowledgements of all calls so far.
    func acknowledge(_ executor: SeededExecutor) {
      let completions = Completions(handlers: unanswered)
      unanswered = []
      executor.perform { for completion in completions.handlers { completion() } }
    }
  }

  private struct Completions: @unchecked Sendable {
    let handlers: [HKObserverQueryCompletionHandler]
  }

  /// A store, its observer, and the failures recorded after each step.
  private final class Schedule {
    let test: DeliveryStore
    let executor: SeededExecutor
    let observer = Observer()
    var random: Seeded
    /// The times at which the first, second and third failure was counted.
    var failures: [Double] = []
    /// The observer's number of calls at each failure.
    var callsAtFailures: [Int] = []

    init(seed: UInt64) throws {
      test = try DeliveryStore()
      executor = SeededExecutor(seed: seed)
      random = Seeded(mixing: seed)
    }

    var now: Double { test.clock.clock.now() }

    func save() {
      let database = test.database
      executor.perform {
        #expect(throws: Never.self) {
          try OpenStore(database).save([heartBeat(60)], subject: "ada")
        }
      }
    }

    func advance(by seconds: Double) {
      let clock = test.clock
      executor.perform { clock.advance(by: seconds) }
    }

    func step(_ limit: Int = .max) throws {
      for _ in 0..<limit {
        if executor.run(limit: 1) == 0 { return }
        guard let known = try test.known else { continue }
        if known.failureCount > failures.count {
          failures.append(now)
          callsAtFailures.append(observer.callCount)
          // This acknowledgement is late and must not acknowledge the next delivery.
          observer.acknowledge(executor)
        }
      }
    }

    /// Saves and advances the clock repeatedly, each time running some of the scheduled steps.
    func work(_ count: Int, seconds: Range<Int>) throws {
      for _ in 0..<count {
        if random.once(in: 2) { save() }
        advance(by: Double(seconds.lowerBound + random.drawn(below: seconds.count)))
        try step(random.drawn(below: 8))
      }
    }

    /// Runs all scheduled steps.
    func settle() throws {
      for _ in 0..<20 {
        advance(by: 60)
        try step()
      }
    }
  }

  @Test(arguments: 0..<UInt64(Trials.count(300, quick: 100)))
  func `Three failures with back-off stop delivery, and a reset delivers everything`(
    seed: UInt64
  ) throws {
    let schedule = try Schedule(seed: seed)
    let executor = schedule.executor
    try BlockingExecutor.$simulated.withValue(BlockingExecutor { executor.perform($0) }) {
      let test = schedule.test
      test.store.enableBackgroundDelivery(for: testHeartRate, frequency: .immediate) { done, _ in
        #expect(done)
      }
      try schedule.step()
      let query = schedule.observer.query(executor)
      let store = test.store
      executor.perform { store.execute(query) }
      schedule.save()
      try schedule.work(80, seconds: 0..<40)
      try schedule.settle()

      // A call on execution counts if the save came first.
      #expect(schedule.failures.count == 3)
      let calls = schedule.observer.callCount
      #expect((3...4).contains(calls))
      #expect(zip(schedule.callsAtFailures, [calls - 2, calls - 1, calls]).allSatisfy { $0 <= $1 })
      let gaps = zip(schedule.failures.dropFirst(), schedule.failures).map { $0 - $1 }
      #expect(gaps.first ?? 0 >= 120, "a back-off of one minute and a timeout of one")
      #expect(gaps.last ?? 0 >= 180, "a back-off of two minutes and a timeout of one")
      #expect(try test.known?.isStopped == true)
      #expect(try test.logged?.isStopped == true, "the log has the stopped registration")

      schedule.observer.acknowledges = true
      let scheduler = try #require(DeliveryScheduler.of(test.database, clock: test.clock.clock))
      let key = test.key
      executor.perform {
        #expect(throws: Never.self) {
          let isEnabled = try scheduler.reset(key)
          #expect(isEnabled)
        }
      }
      // Takes less than a minute in total, so that late acknowledgements are still in time.
      try schedule.work(50, seconds: 0..<2)
      try schedule.step()
      try schedule.settle()
      let registration = try #require(try test.logged)
      #expect(registration.failureCount == 0)
      #expect(!registration.isStopped)
      let isBehind = test.database.snapshot().isBehind(registration, key)
      #expect(!isBehind)
      test.store.stop(query)
      try schedule.step()
    }
  }
}
