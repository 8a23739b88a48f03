import HealthKit
import Testing

/// A protocol that a client would declare to substitute the store.
protocol SampleStore {
  func execute(_ query: HKQuery)
  func stop(_ query: HKQuery)
  func save(
    _ objects: [HKObject],
    withCompletion completion: @escaping @Sendable (Bool, (any Error)?) -> Void)
  func delete(
    _ objects: [HKObject],
    withCompletion completion: @escaping @Sendable (Bool, (any Error)?) -> Void)
  func deleteObjects(
    of objectType: HKObjectType, predicate: NSPredicate,
    withCompletion completion: @escaping @Sendable (Bool, Int, (any Error)?) -> Void)
  func requestAuthorization(
    toShare typesToShare: Set<HKSampleType>?, read typesToRead: Set<HKObjectType>?,
    completion: @escaping @Sendable (Bool, (any Error)?) -> Void)
  func authorizationStatus(for type: HKObjectType) -> HKAuthorizationStatus
}

extension HKHealthStore: SampleStore {}

/// A test double like those in clients' tests.
final class RecordingStore: HKHealthStore, @unchecked Sendable {
  let saves = Counter()
  var executed: [HKQuery] = []

  override func save(
    _ objects: [HKObject],
    withCompletion completion: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    _ = saves.next()
    completion(false, HKError(.errorAuthorizationDenied))
  }

  override func execute(_ query: HKQuery) { executed.append(query) }

  override func stop(_ query: HKQuery) { executed.removeAll { $0 === query } }
}

@Suite struct HealthStoreUseTests {
  let store = HKHealthStore.inMemory()

  @Test func `health data is available and access is granted`() async throws {
    #expect(HKHealthStore.isHealthDataAvailable())
    try await store.requestAuthorization(toShare: [heartRate], read: [heartRate, steps])
    #expect(store.authorizationStatus(for: heartRate) == .sharingAuthorized)
    let status = try await store.statusForAuthorizationRequest(toShare: [], read: [steps])
    #expect(status == .unnecessary)
    await confirmation { granted in
      await withCheckedContinuation { continuation in
        store.requestAuthorization(toShare: nil, read: [heartRate]) { success, error in
          if success, error == nil { granted() }
          continuation.resume()
        }
      }
    }
  }

  @Test func `saving reports success to its handler`() async throws {
    let saved = await withCheckedContinuation { continuation in
      store.save(beat(60)) { success, error in
        continuation.resume(returning: success && error == nil)
      }
    }
    #expect(saved)
    #expect(try await store.samples(heartRate).count == 1)
  }

  @Test func `the asynchronous form calls a subclass's save`() async throws {
    let recording = RecordingStore()
    await #expect(throws: HKError.self) { try await recording.save([beat(60)]) }
    #expect(recording.saves.value == 1)
    let query = HKSampleQuery(
      sampleType: heartRate, predicate: nil, limit: 1, sortDescriptors: nil
    ) { _, _, _ in }
    recording.execute(query)
    #expect(recording.executed == [query])
    recording.stop(query)
    #expect(recording.executed.isEmpty)
  }

  @Test func `an array with an already saved object saves none`() async throws {
    let sample = beat(60)
    try await store.save(sample)
    do {
      try await store.save([beat(61, 1), sample])
      Issue.record("the object was saved twice")
    } catch HKError.errorInvalidArgument {
    }
    #expect(try await store.samples(heartRate).beats == [60])
  }

  @Test func `deleting an empty array or an unknown object is an error`() async throws {
    for objects in [[], [beat(60)]] {
      do {
        try await store.delete(objects)
        Issue.record("nothing was thrown")
      } catch HKError.errorInvalidArgument {
      }
    }
  }

  @Test func `deleting by predicate returns the number of objects`() async throws {
    try await store.save((0..<10).map { beat(60, Double($0)) })
    let early = HKQuery.predicateForSamples(
      withStart: nil, end: start.addingTimeInterval(4), options: [])
    #expect(try await store.deleteObjects(of: heartRate, predicate: early) == 4)
    #expect(try await store.deleteObjects(of: heartRate, predicate: early) == 0)
    #expect(try await store.samples(heartRate).count == 6)
  }

  @Test func `a blood pressure is read back with both of its values`() async throws {
    let pressure = HKUnit.millimeterOfMercury()
    func sample(_ identifier: HKQuantityTypeIdentifier, _ value: Double) -> HKQuantitySample {
      HKQuantitySample(
        type: HKQuantityType(identifier), quantity: HKQuantity(unit: pressure, doubleValue: value),
        start: start, end: start)
    }
    let systolic = sample(.bloodPressureSystolic, 120)
    let loose = sample(.bloodPressureSystolic, 125)
    let reading = HKCorrelation(
      type: HKCorrelationType(.bloodPressure), start: start, end: start,
      objects: [systolic, sample(.bloodPressureDiastolic, 80)])
    try await store.save([reading, loose])

    let descriptor = HKSampleQueryDescriptor(
      predicates: [.correlation(type: HKCorrelationType(.bloodPressure))], sortDescriptors: [])
    let found = try #require(try await descriptor.result(for: store).first)
    #expect(found.objects.count == 2)
    let value =
      found.objects(for: HKQuantityType(.bloodPressureDiastolic)).first as? HKQuantitySample
    #expect(value?.quantity.doubleValue(for: pressure) == 80)

    let type = HKQuantityType(.bloodPressureSystolic)
    #expect(try await store.samples(type).count == 2)
    let alone = try await store.samples(
      type, predicate: HKQuery.predicateForObjectsWithNoCorrelation())
    #expect(alone.map(\.uuid) == [loose.uuid])
    try await store.delete(found)
    let freed = try await store.samples(
      type, predicate: HKQuery.predicateForObjectsWithNoCorrelation())
    #expect(freed.count == 2)
  }
}
