import HealthKit
import HealthKitTesting
import Testing

@testable import Services

private final class Anchors: AnchorStorage, @unchecked Sendable {
  private let lock = NSLock()
  private var stored: [String: Data] = [:]

  func data(forKey key: String) -> Data? { lock.withLock { stored[key] } }

  func set(_ data: Data?, forKey key: String) { lock.withLock { stored[key] = data } }
}

@Suite struct ChangesTests {
  private let health: TestHealthData
  private let steps = HKQuantityType(.stepCount)

  init() throws { health = try TestHealthData() }

  private func sync(_ engine: SyncEngine) async -> Error? {
    await withCheckedContinuation { continuation in
      engine.sync(steps) { continuation.resume(returning: $0) }
    }
  }

  @Test func `a sync engine resumes after a restart and uploads deletions`()
    async throws
  {
    let store = health.store
    let samples = (0..<60).map {
      quantity(.stepCount, 1, .count(), noon + Double($0), noon + Double($0) + 1)
    }
    try await store.save(samples)
    let anchors = Anchors()
    let uploads = Inbox<Upload>()
    let engine = SyncEngine(healthStore: store, anchors: anchors) {
      uploads.put($0)
      return true
    }
    #expect(await sync(engine) == nil)
    var uploaded: [UUID] = []
    while uploaded.count < 60 { uploaded += await uploads.first()?.added ?? [] }
    #expect(uploaded == samples.map(\.uuid))

    try await store.delete(samples[7])
    let late = quantity(.stepCount, 9, .count(), noon + 100, noon + 101)
    try await store.save(late)
    let second = Inbox<Upload>()
    let restarted = SyncEngine(healthStore: store, anchors: anchors) {
      second.put($0)
      return true
    }
    #expect(await sync(restarted) == nil)
    #expect(
      await second.first()
        == Upload(type: steps.identifier, added: [late.uuid], deleted: [samples[7].uuid]))
  }

  @Test func `changes that an upload refuses are delivered again`() async throws {
    try await health.store.save(quantity(.stepCount, 1, .count(), noon, noon + 1))
    let anchors = Anchors()
    let refused = SyncEngine(healthStore: health.store, anchors: anchors) { _ in false }
    #expect(await sync(refused) == nil)
    let uploads = Inbox<Upload>()
    let engine = SyncEngine(healthStore: health.store, anchors: anchors) {
      uploads.put($0)
      return true
    }
    #expect(await sync(engine) == nil)
    #expect(await uploads.first()?.added.count == 1)
  }

  @Test func `a sync engine follows new changes and reads several types at once`() async throws {
    let uploads = Inbox<Upload>()
    let engine = SyncEngine(healthStore: health.store, anchors: Anchors()) {
      uploads.put($0)
      return true
    }
    engine.follow(steps)
    let sample = quantity(.stepCount, 1, .count(), noon, noon + 1)
    try await health.store.save(sample)
    #expect(await uploads.first()?.added == [sample.uuid])
    try await health.store.delete(sample)
    #expect(await uploads.first()?.deleted == [sample.uuid])
    engine.stop()
    try await health.store.save(quantity(.distanceCycling, 2, .meter(), noon, noon + 1))
    let changes = try await engine.changes(of: [steps, HKQuantityType(.distanceCycling)])
    #expect(changes.addedSamples.count == 1)
    #expect(changes.newAnchor != HKQueryAnchor(fromValue: 0))
  }

  @Test func `background delivery calls the work for each type that changed`() async throws {
    let store = health.store
    let calls = Inbox<String>()
    let coordinator = BackgroundDeliveryCoordinator(healthStore: store) { type, done in
      calls.put(type.identifier)
      done()
    }
    let error = await withCheckedContinuation { continuation in
      coordinator.start([steps, HKQuantityType(.heartRate)]) { continuation.resume(returning: $0) }
    }
    #expect(error == nil)
    #expect(Set([await calls.first(), await calls.first()]).count == 2)
    try await store.save(quantity(.stepCount, 1, .count(), noon, noon + 1))
    #expect(await calls.first() == steps.identifier)
    let combined = Inbox<Set<HKSampleType>>()
    coordinator.startCombined([steps]) { combined.put($0) }
    #expect(await combined.first() == [steps])
    try await coordinator.stop()
  }
}
