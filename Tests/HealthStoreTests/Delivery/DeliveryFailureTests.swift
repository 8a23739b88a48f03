import Foundation
import SampleLog
import Testing

@testable import HealthStore

/// Unacknowledged deliveries, and the frequency of deliveries, under a manual clock.
@Suite struct DeliveryFailureTests {
  private let test: DeliveryStore

  init() throws { test = try DeliveryStore() }

  private func enable(_ frequency: HKUpdateFrequency = .immediate) async throws {
    try await test.store.enableBackgroundDelivery(for: testHeartRate, frequency: frequency)
  }

  private func state(_ test: DeliveryStore? = nil) async throws -> BackgroundDelivery? {
    try await (test ?? self.test).store.backgroundDelivery(for: testHeartRate)
  }

  @Test func `Three failures in a row stop delivery, and the store reports it`() async throws {
    try await enable()
    let observer = RecordingObserver(test.store)
    try test.save()
    #expect(observer.count == 2)
    test.clock.advance(by: 59.9)
    #expect(try await state()?.failureCount == 0)
    test.clock.advance(by: 0.1)
    #expect(try await state()?.failureCount == 1)
    test.clock.advance(by: 59.9)
    #expect(observer.count == 2, "back-off of a minute")
    test.clock.advance(by: 0.1)
    #expect(observer.count == 3)
    test.clock.advance(by: 60)
    #expect(try await state()?.failureCount == 2)
    test.clock.advance(by: 119.9)
    #expect(observer.count == 3, "back-off of two minutes")
    test.clock.advance(by: 0.1)
    #expect(observer.count == 4)
    #expect(try await state()?.isStopped == false)
    test.clock.advance(by: 60)
    #expect(try await state()?.failureCount == 3)
    #expect(try await state()?.isStopped == true)
    #expect(try test.logged?.isStopped == true, "the log has the stopped registration")
    try test.save()
    observer.settle()
    test.clock.advance(by: 1_000_000)
    #expect(observer.count == 4)
    #expect(test.clock.pendingCount == 0)
    observer.acknowledge()
    #expect(try test.known?.sequence == 0, "a late acknowledgement does not count")
    observer.stop()
  }

  /// Lets three deliveries fail.
  private func fail(_ observer: RecordingObserver) {
    for wait in [60.0, 60, 60, 120, 60] {
      test.clock.advance(by: wait)
      observer.settle()
    }
  }

  @Test func `A reset delivers unacknowledged changes at once`() async throws {
    try await enable()
    let observer = RecordingObserver(test.store)
    try test.save()
    observer.settle()
    fail(observer)
    #expect(try await state()?.isStopped == true)
    let count = observer.count
    try await test.store.resetBackgroundDelivery(for: testHeartRate)
    #expect(observer.count == count + 1)
    #expect(try await state()?.isStopped == false)
    #expect(try await state()?.failureCount == 0)
    observer.acknowledge()
    #expect(try test.known?.sequence == test.database.end)
    try test.save()
    #expect(observer.count == count + 2)
    observer.stop()
  }

  @Test func `Only a reset restarts a stopped delivery`()
    async throws
  {
    try await enable()
    let observer = RecordingObserver(test.store)
    try test.save()
    observer.settle()
    fail(observer)
    try test.restart()
    try await enable()
    #expect(try await state()?.isStopped == true)
    let next = RecordingObserver(test.store)
    #expect(next.count == 1, "the call on execution")
    try test.save()
    next.settle()
    test.clock.advance(by: 1000)
    #expect(next.count == 1)
    try await test.store.resetBackgroundDelivery(for: testHeartRate)
    #expect(next.count == 2)
    next.acknowledge()
    #expect(try test.known?.sequence == test.database.end)
    next.stop()
  }

  @Test func `Failures are counted across restarts, and an acknowledgement clears them`()
    async throws
  {
    try await enable()
    let observer = RecordingObserver(test.store)
    try test.save()
    observer.settle()
    test.clock.advance(by: 60)
    test.clock.advance(by: 60)
    #expect(observer.count == 3)
    test.clock.advance(by: 60)
    #expect(try test.logged?.failureCount == 2)
    let next = try test.crash()
    #expect(try await state(next)?.failureCount == 2)
    let again = RecordingObserver(next.store)
    #expect(again.count == 1)
    let third = try next.crash()
    next.clock.advance(by: 60)
    #expect(try await state(next)?.isStopped == true)
    let last = RecordingObserver(third.store, acknowledges: true)
    #expect(last.count == 1)
    #expect(try await state(third)?.failureCount == 0)
    third.clock.advance(by: 0)
    #expect(try third.logged?.failureCount == 0)
    for one in [observer, again, last] { one.stop() }
  }

  @Test func `A failure does not call observers that have acknowledged`() async throws {
    try await enable()
    let good = RecordingObserver(test.store)
    let bad = RecordingObserver(test.store)
    try test.save()
    good.wait(for: 2)
    bad.wait(for: 2)
    good.acknowledge()
    test.clock.advance(by: 60)
    test.clock.advance(by: 60)
    bad.wait(for: 3)
    #expect(good.count == 2)
    #expect(try test.known?.failureCount == 1)
    bad.acknowledge()
    try test.save()
    good.wait(for: 3)
    // If the previous delivery was still examining this observer, it includes the save, and the
    // next one begins when it is acknowledged.
    good.acknowledge()
    bad.wait(for: 4)
    #expect(try test.known?.failureCount == 0)
    good.stop()
    bad.stop()
  }

  @Test func `The time to acknowledge is an option`() async throws {
    let test = try DeliveryStore { $0.deliveryTimeout = .seconds(5) }
    try await test.store.enableBackgroundDelivery(for: testHeartRate, frequency: .immediate)
    try test.save()
    let observer = RecordingObserver(test.store)
    observer.settle()
    test.clock.advance(by: 4.9)
    #expect(try await state(test)?.failureCount == 0)
    test.clock.advance(by: 0.1)
    #expect(try await state(test)?.failureCount == 1)
    observer.stop()
  }

  @Test(arguments: [
    (HKUpdateFrequency.hourly, 3600.0), (.daily, 86_400), (.weekly, 604_800),
  ])
  func `Observers are called at most once a period`(
    frequency: HKUpdateFrequency, period: Double
  ) async throws {
    try await enable(frequency)
    let observer = RecordingObserver(test.store, acknowledges: true)
    try test.save()
    #expect(observer.count == 2)
    try test.save()
    observer.settle()
    test.clock.advance(by: period - 1)
    #expect(observer.count == 2)
    try test.save()
    observer.settle()
    test.clock.advance(by: 1)
    #expect(observer.count == 3)
    test.clock.advance(by: period)
    #expect(observer.count == 3, "without changes there is no call")
    try test.save()
    #expect(observer.count == 4)
    observer.stop()
  }

  @Test func `A period continues across restarts`() async throws {
    try await enable(.hourly)
    let observer = RecordingObserver(test.store, acknowledges: true)
    try test.save()
    #expect(observer.count == 2)
    let delivered = try await state()?.lastDelivery
    #expect(delivered == Date(timeIntervalSinceReferenceDate: 1_000_000))
    test.clock.advance(by: 1000)
    try test.restart()
    #expect(try await state()?.lastDelivery == delivered)
    let next = RecordingObserver(test.store, acknowledges: true)
    #expect(next.count == 1)
    try test.save()
    next.settle()
    test.clock.advance(by: 2599)
    #expect(next.count == 1)
    test.clock.advance(by: 1)
    #expect(next.count == 2)
    next.stop()
  }

  @Test func `Setting the clock back does not lengthen a period`() async throws {
    let date = Locked(1_000_000_000.0)
    let test = try DeliveryStore { $0.clock = { date.withLock { $0 } } }
    try await test.store.enableBackgroundDelivery(for: testHeartRate, frequency: .hourly)
    let observer = RecordingObserver(test.store, acknowledges: true)
    try test.save()
    #expect(observer.count == 2)
    try test.restart()
    date.withLock { $0 = 0 }
    let next = RecordingObserver(test.store, acknowledges: true)
    try test.save()
    next.settle()
    test.clock.advance(by: 3599)
    #expect(next.count == 1)
    test.clock.advance(by: 1)
    #expect(next.count == 2)
    next.stop()
  }

  @Test func `A failed delivery is repeated within its period`() async throws {
    try await enable(.daily)
    let observer = RecordingObserver(test.store)
    try test.save()
    #expect(observer.count == 2)
    test.clock.advance(by: 60)
    test.clock.advance(by: 60)
    #expect(observer.count == 3)
    observer.acknowledge()
    try test.save()
    observer.settle()
    test.clock.advance(by: 86_399)
    #expect(observer.count == 3)
    test.clock.advance(by: 1)
    #expect(observer.count == 4)
    observer.stop()
  }

  @Test func `A shorter frequency counts at once`() async throws {
    try await enable(.weekly)
    let observer = RecordingObserver(test.store, acknowledges: true)
    try test.save()
    #expect(observer.count == 2)
    try test.save()
    #expect(observer.count == 2)
    try await enable(.immediate)
    #expect(observer.count == 3)
    #expect(try await state()?.frequency == .immediate)
    observer.stop()
  }

  @Test func `A released observer and store leave nothing behind`() async throws {
    weak var database: Database?
    weak var query: HKObserverQuery?
    do {
      let test = try DeliveryStore()
      database = test.database
      try await test.store.enableBackgroundDelivery(for: testHeartRate, frequency: .hourly)
      let observer = RecordingObserver(test.store)
      query = observer.query
      try test.save()
      observer.settle()
      observer.stop()
      observer.settle()
    }
    #expect(query == nil)
    #expect(database == nil)
  }
}
