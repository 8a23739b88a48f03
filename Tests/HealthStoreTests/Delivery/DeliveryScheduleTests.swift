import Foundation
import SampleLog
import SampleLogSimulation
import Testing

@testable import HealthStore

/// Failures, back-off and reset while savers, an observer, its handler and the clock take their
/// steps in an order that a seed decides.
@Suite struct DeliveryScheduleTests {
  /// An observer whose acknowledgements wait for their turn like everything else.
  private final class Observer: @unchecked Sendable {
    // All steps are taken on the test's thread.
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

    /// Acknowledges the calls until now, some time.
    func acknowledge(_ executor: SeededExecutor) {
      let completions = Completions(handlers: unanswered)
      unanswered = []
      executor.perform { for completion in completions.handlers { completion() } }
    }
  }

  private struct Completions: @unchecked Sendable {
    let handlers: [HKObserverQueryCompletionHandler]
  }

  /// A store, its observer, and what became of deliveries, looked at after every step.
  private final class Schedule {
    let test: DeliveryStore
    let executor: SeededExecutor
    let observer = Observer()
    var random: Seeded
    /// When the first, second and third failure was counted.
    var failures: [Double] = []
    /// How often the observer had been called then.
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
          // Too late, which must not acknowledge what comes next.
          observer.acknowledge(executor)
        }
      }
    }

    /// Saves and lets as many seconds pass each time, in between some of the steps that follow.
    func work(_ count: Int, seconds: Range<Int>) throws {
      for _ in 0..<count {
        if random.once(in: 2) { save() }
        advance(by: Double(seconds.lowerBound + random.drawn(below: seconds.count)))
        try step(random.drawn(below: 8))
      }
    }

    /// Lets everything happen that is to come.
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
      #expect(gaps.first ?? 0 >= 120, "back-off of one minute, and one to acknowledge")
      #expect(gaps.last ?? 0 >= 180, "back-off of two minutes, and one to acknowledge")
      #expect(try test.known?.isStopped == true)
      #expect(try test.logged?.isStopped == true, "durably")

      schedule.observer.acknowledges = true
      let center = try #require(DeliveryCenter.of(test.database, clock: test.clock.clock))
      let key = test.key
      executor.perform {
        #expect(throws: Never.self) {
          let isEnabled = try center.reset(key)
          #expect(isEnabled)
        }
      }
      // In less than a minute altogether, so that whoever acknowledges late is not too late.
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
