import Foundation
import SampleLog
import Testing

@testable import HealthStore

/// Delivery and its acknowledgement, without failures.
@Suite struct DeliveryTests {
  private let test: DeliveryStore

  init() throws { test = try DeliveryStore() }

  private func enable(_ frequency: HKUpdateFrequency = .immediate) async throws {
    try await test.store.enableBackgroundDelivery(for: testHeartRate, frequency: frequency)
  }

  @Test func `Observing and enabling may come in either order`() async throws {
    let before = RecordingObserver(test.store)
    try await enable()
    let after = RecordingObserver(test.store)
    #expect(before.count == 1)
    #expect(after.count == 1)
    try test.save()
    before.wait(for: 2)
    after.wait(for: 2)
    before.acknowledge()
    #expect(try test.known?.sequence != test.database.end, "the other one has not acknowledged")
    after.acknowledge()
    #expect(try test.known?.sequence == test.database.end)
    before.stop()
    after.stop()
  }

  @Test func `Enabling begins at the log's end`() async throws {
    try test.save()
    try await enable()
    #expect(try test.logged?.sequence == 1)
    #expect(try await test.store.backgroundDelivery(for: testHeartRate)?.lastDelivery == nil)
    let observer = RecordingObserver(test.store)
    observer.settle()
    #expect(test.clock.pendingCount == 0, "no acknowledgement is due")
    observer.stop()
  }

  @Test func `A call on execution must be acknowledged if there were changes`() async throws {
    try await enable()
    try test.save()
    let observer = RecordingObserver(test.store)
    #expect(observer.count == 1)
    test.clock.advance(by: 60)
    #expect(try test.known?.failureCount == 1)
    test.clock.advance(by: 60)
    #expect(observer.count == 2, "the observer is called again")
    observer.acknowledge()
    #expect(try test.known?.sequence == test.database.end)
    #expect(try test.known?.failureCount == 0)
    observer.stop()
  }

  @Test func `Changes of another type or person need no acknowledgement`()
    async throws
  {
    try await enable()
    try test.save(subject: "bob")
    let observer = RecordingObserver(test.store)
    #expect(observer.count == 1)
    test.clock.advance(by: 60)
    #expect(try test.known?.failureCount == 0)
    observer.stop()
  }

  @Test func `Changes during a delivery cause exactly one more`() async throws {
    try await enable()
    let observer = RecordingObserver(test.store)
    try test.save()
    #expect(observer.count == 2)
    for value in 1...4 { try test.save(Double(value)) }
    #expect(observer.count == 2)
    observer.acknowledge()
    #expect(observer.count == 3)
    #expect(try test.known?.sequence == 2, "the first of five saves follows the enabling")
    observer.acknowledge()
    #expect(observer.count == 3)
    #expect(try test.known?.sequence == test.database.end)
    observer.stop()
  }

  @Test func `Repeated and late acknowledgements acknowledge nothing else`() async throws {
    try await enable()
    let observer = RecordingObserver(test.store)
    try test.save()
    #expect(observer.count == 2)
    // The first call was made on execution.
    observer.acknowledge(1)
    #expect(try test.known?.sequence == 0)
    try test.save()
    observer.acknowledge(2)
    #expect(observer.count == 3)
    observer.acknowledge(2)
    #expect(try test.known?.sequence == 2)
    observer.acknowledge(3)
    #expect(try test.known?.sequence == test.database.end)
    observer.stop()
  }

  @Test func `Acknowledgements are logged together, a second after the first`() async throws {
    try await enable()
    let observer = RecordingObserver(test.store, acknowledges: true)
    let end = test.database.end
    for value in 1...20 {
      try test.save(Double(value))
      observer.settle()
    }
    #expect(test.database.end == end + 20, "twenty samples and no other record")
    #expect(try test.logged?.sequence == 0)
    test.clock.advance(by: 1)
    #expect(test.database.end == end + 21)
    #expect(try test.logged?.sequence == end + 20)
    observer.stop()
  }

  @Test func `Closing the store logs acknowledgements and does not wait for handlers`() async throws
  {
    try await enable()
    let observer = RecordingObserver(test.store)
    try test.save()
    #expect(observer.count == 2)
    observer.acknowledge()
    let sequence = try test.known?.sequence
    try test.save()
    #expect(observer.count == 3)
    try test.restart()
    #expect(try test.logged?.sequence == sequence)
    #expect(try test.logged?.failureCount == 0)
    observer.acknowledge()
    test.clock.advance(by: 1000)
    #expect(try test.logged?.sequence == sequence, "the store was closed by then")
    #expect(try test.logged?.failureCount == 0, "closing does not count as a failure")
  }

  @Test func `The next process delivers changes that were unacknowledged at a crash`()
    async throws
  {
    try await enable()
    let observer = RecordingObserver(test.store)
    try test.save()
    #expect(observer.count == 2)
    let next = try test.crash()
    let again = RecordingObserver(next.store)
    #expect(again.count == 1)
    #expect(try next.logged?.sequence == 0)
    again.acknowledge()
    #expect(try next.known?.sequence == 2)
    next.clock.advance(by: 1)
    #expect(try next.logged?.sequence == 2)
    let third = try next.crash()
    let last = RecordingObserver(third.store)
    #expect(last.count == 1, "the call on execution")
    third.clock.advance(by: 1000)
    #expect(
      try third.known?.failureCount == 0, "no observer has to acknowledge the call on execution")
    observer.stop()
    again.stop()
    last.stop()
  }

  @Test func `A change that matches no observer is acknowledged without a call`() async throws {
    try await enable()
    let fast = HKQuery.predicateForQuantitySamples(
      with: .greaterThan, quantity: HKQuantity(unit: testBeats, doubleValue: 100))
    let observer = RecordingObserver(test.store, fast)
    try test.save(60)
    #expect(observer.count == 1)
    #expect(try test.known?.sequence == test.database.end)
    #expect(try test.known?.lastDelivery == nil)
    test.clock.advance(by: 1)
    #expect(try test.logged?.sequence == 2)
    try test.save(120)
    #expect(observer.count == 2)
    observer.stop()
  }

  @Test func `An observer that matches nothing does not delay the others`() async throws {
    try await enable()
    let fast = HKQuery.predicateForQuantitySamples(
      with: .greaterThan, quantity: HKQuantity(unit: testBeats, doubleValue: 100))
    let one = RecordingObserver(test.store, fast)
    let two = RecordingObserver(test.store)
    for number in 2...20 {
      try test.save(60)
      two.wait(for: number)
      two.acknowledge()
    }
    #expect(one.count == 1)
    one.stop()
    two.stop()
  }

  @Test func `An observer of several types acknowledges those that are enabled`() async throws {
    try await enable()
    let observer = RecordingObserver(test.store, types: [testHeartRate, testSteps])
    try test.save()
    #expect(observer.count == 2)
    let walk = try HKQuantitySample.validated(
      type: testSteps, quantity: HKQuantity(unit: .count(), doubleValue: 1), start: testStart,
      end: testStart)
    try OpenStore(test.database).save([walk], subject: "ada")
    #expect(observer.count == 3, "steps are reported at once")
    observer.acknowledge()
    #expect(try test.known?.sequence == 0)
    observer.acknowledge(2)
    #expect(try test.known?.sequence == 2)
    observer.stop()
  }

  @Test func `An observer that stops without acknowledging leaves its changes to the next`()
    async throws
  {
    try await enable()
    let first = RecordingObserver(test.store)
    try test.save()
    #expect(first.count == 2)
    first.stop()
    first.acknowledge()
    #expect(try test.known?.sequence == 0)
    test.clock.advance(by: 1000)
    #expect(try test.known?.failureCount == 0, "a stopped observer does not fail")
    let second = RecordingObserver(test.store, acknowledges: true)
    #expect(second.count == 1)
    #expect(try test.known?.sequence == 2)
    second.stop()
  }

  @Test func `An observer is called if a deletion may have been forgotten`()
    async throws
  {
    let test = try DeliveryStore {
      $0.deletionRetention = .seconds(10)
      $0.deliveryRetention = .seconds(20)
    }
    try await test.store.enableBackgroundDelivery(for: testHeartRate, frequency: .immediate)
    try test.save(subject: "bob")
    try OpenStore(test.database).database.seal()
    let deleted = try await test.store(of: "bob").deleteObjects(
      of: testHeartRate, predicate: NSPredicate(value: true))
    #expect(deleted == 1)
    test.clock.advance(by: 11)
    #expect(
      try test.database.compact().deletionsForgotten == 1,
      "a quiet series does not retain deletions")
    let observer = RecordingObserver(test.store)
    test.clock.advance(by: 60)
    #expect(try test.known?.failureCount == 1, "its call had to be acknowledged")
    observer.stop()
  }

  @Test func `Disabling ends delivery, and observers continue as before`() async throws {
    try await enable(.hourly)
    let observer = RecordingObserver(test.store, acknowledges: true)
    try test.save()
    #expect(observer.count == 2)
    try test.save()
    #expect(observer.count == 2, "the second one waits for its hour")
    try await test.store.disableBackgroundDelivery(for: testHeartRate)
    #expect(observer.count == 3, "the second observer is called after its hour")
    #expect(try test.logged == nil)
    try test.save()
    #expect(observer.count == 4)
    test.clock.advance(by: 10_000)
    #expect(observer.count == 4)
    #expect(try test.logged == nil)
    try await enable()
    #expect(try test.logged?.sequence == test.database.end - 1)
    observer.stop()
  }

  @Test func `A read-only store refuses background delivery`() async throws {
    let directory = StoreDirectory()
    let writer = try HKHealthStore(directory: directory.url)
    try await writer.enableBackgroundDelivery(for: testHeartRate, frequency: .immediate)
    let reader = try HKHealthStore(directory: directory.url, mode: .readOnly)
    let error = await #expect(throws: HKError.self) {
      try await reader.enableBackgroundDelivery(for: testSteps, frequency: .immediate)
    }
    #expect(error?.userInfo[NSUnderlyingErrorKey] as? StoreError == .readOnly)
    await #expect(throws: HKError.self) {
      try await reader.backgroundDelivery(for: testHeartRate)
    }
    let observer = RecordingObserver(reader)
    #expect(observer.count == 1)
    observer.stop()
    try await writer.close()
  }
}
