import SampleLog
import Testing

@testable import HealthStore

/// The delivery events passed to a store's event handler.
@Suite struct DeliveryEventTests {
  @Test func `Each late delivery is reported, the last as stopped`()
    async throws
  {
    let heard = Locked<[StoreEvent.Stall]>([])
    let test = try DeliveryStore {
      $0.onEvent = { event in
        if case .stalled(let stall) = event.kind { heard.withLock { $0.append(stall) } }
      }
    }
    try await test.store.enableBackgroundDelivery(for: testHeartRate, frequency: .immediate)
    let observer = RecordingObserver(test.store)
    try test.save()
    #expect(observer.count == 2)
    test.clock.advance(by: 59.9)
    test.database.drainEvents()
    #expect(heard.withLock { $0 }.isEmpty)
    for seconds in [0.1, 60, 60, 120, 60] {
      test.clock.advance(by: seconds)
      observer.settle()
    }
    test.database.drainEvents()
    let stalls = heard.withLock { $0 }
    #expect(stalls.map(\.isStopped) == [false, false, true])
    #expect(stalls.allSatisfy { $0.name == testHeartRate.identifier && $0.subject == "ada" })
    #expect(stalls.allSatisfy { $0.lag > 0 })
  }

  @Test func `An acknowledged delivery is not reported`() async throws {
    let heard = Locked(0)
    let test = try DeliveryStore {
      $0.onEvent = { if case .stalled = $0.kind { heard.withLock { $0 += 1 } } }
    }
    try await test.store.enableBackgroundDelivery(for: testHeartRate, frequency: .immediate)
    let observer = RecordingObserver(test.store, acknowledges: true)
    try test.save()
    #expect(observer.count == 2)
    test.clock.advance(by: 600)
    test.database.drainEvents()
    #expect(heard.withLock { $0 } == 0)
  }
}
