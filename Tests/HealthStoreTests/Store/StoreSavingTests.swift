import Foundation
import SampleLog
import Testing

@testable import HealthStore

@Suite struct StoreSavingTests {
  let store = HKHealthStore.inMemory()

  @Test func `every field of a sample is read back unchanged`() async throws {
    let device = HKDevice(
      name: "Strap", manufacturer: nil, model: "H10", hardwareVersion: nil, firmwareVersion: "1.0",
      softwareVersion: nil, localIdentifier: "ä", udiDeviceIdentifier: nil)
    let metadata: [String: Any] = [
      HKMetadataKeyWasUserEntered: true, "count": 3, "ratio": 0.1, "note": "née",
      "when": testStart, "load": HKQuantity(unit: .gramUnit(with: .kilo), doubleValue: 2.5),
    ]
    let sample = try HKQuantitySample.validated(
      type: testSteps, quantity: HKQuantity(unit: .count(), doubleValue: 0.1 + 0.2),
      start: Date(timeIntervalSinceReferenceDate: 1.0 / 3),
      end: Date(timeIntervalSinceReferenceDate: 100.1), device: device, metadata: metadata,
      sourceRevision: revision("org.example.watch"))
    try await store.save(sample)
    let found = try #require(try await store.read(.quantitySample(type: testSteps)).first)
    #expect(found.uuid == sample.uuid)
    #expect(found.startDate == sample.startDate)
    #expect(found.endDate == sample.endDate)
    #expect(found.quantity.unit.unitString == "count")
    #expect(found.quantity.value.bitPattern == (0.1 + 0.2).bitPattern)
    #expect(found.device == device)
    #expect(found.sourceRevision == revision("org.example.watch"))
    #expect(found.metadata?[HKMetadataKeyWasUserEntered] as? Bool == true)
    #expect(found.metadata?["count"] as? Double == 3)
    #expect(found.metadata?["note"] as? String == "née")
    #expect(found.metadata?["when"] as? Date == testStart)
    #expect(found.metadata?["load"] as? HKQuantity == metadata["load"] as? HKQuantity)
    #expect(found.metadata?.count == 6)
  }

  @Test func `a value is read back in the unit in which it was saved`() async throws {
    let weight = try HKQuantitySample.validated(
      type: HKQuantityType(.bodyMass), quantity: HKQuantity(unit: .pound(), doubleValue: 160.3),
      start: testStart, end: testStart)
    try await store.save(weight)
    let found = try await store.read(.quantitySample(type: HKQuantityType(.bodyMass)))
    #expect(found.first?.quantity.description == "160.3 lb")
  }

  @Test func `a category sample is read back with its value`() async throws {
    let type = HKCategoryType(.sleepAnalysis)
    let sample = try HKCategorySample.validated(
      type: type, value: HKCategoryValueSleepAnalysis.asleepREM.rawValue, start: testStart,
      end: testStart.addingTimeInterval(600))
    try await store.save(sample)
    let found = try await store.read(.categorySample(type: type))
    #expect(found.map(\.value) == [HKCategoryValueSleepAnalysis.asleepREM.rawValue])
    let awake = HKCategoryValueSleepAnalysis.predicateForSamples(.equalTo, value: .awake)
    #expect(try await store.read(.categorySample(type: type, predicate: awake)).isEmpty)
  }

  @Test func `the running program is the source unless the sample has another`() async throws {
    try await store.save([heartBeat(60), heartBeat(61, at: 1, source: revision("org.example"))])
    let sources = try await store.read(.quantitySample(type: testHeartRate))
      .map(\.sourceRevision.source)
    #expect(sources == [.default(), revision("org.example").source])
  }

  @Test func `the same object twice in one array is an error and saves nothing`() async throws {
    let sample = try heartBeat(60)
    await #expect(throws: HKError.self) { try await store.save([sample, sample]) }
    #expect(try await store.beats() == [])
  }

  @Test func `a sync identifier is replaced within its own source only`() async throws {
    func sample(_ value: Double, _ version: Int, _ bundle: String) throws -> HKQuantitySample {
      try heartBeat(
        value, metadata: [HKMetadataKeySyncIdentifier: "x", HKMetadataKeySyncVersion: version],
        source: revision(bundle))
    }
    try await store.save([sample(60, 1, "a"), sample(70, 1, "b")])
    try await store.save(sample(61, 2, "a"))
    #expect(Set(try await store.beats()) == [61, 70])
    try await store.save(sample(62, 2, "a"))
    try await store.save(sample(63, 1, "a"))
    #expect(Set(try await store.beats()) == [61, 70])
  }

  @Test func `a modified archived sample is refused`() async throws {
    let built = BuiltSample(
      uuid: UUID(), sampleType: testHeartRate, startDate: testStart, endDate: testStart,
      quantity: HKQuantity(unit: .gram(), doubleValue: 1))
    do {
      try await store.save(HKQuantitySample.make(built))
      Issue.record("a heart rate in grams was saved")
    } catch let error as HKError where error.code == .errorInvalidArgument {
      #expect((error as NSError).userInfo[NSUnderlyingErrorKey] is HKInvalidSampleError)
    }
  }

  @Test func `more samples than fit in a commit are deleted by predicate`() async throws {
    var options = HKHealthStore.Options()
    options.batchRecordLimit = 10
    let store = HKHealthStore.inMemory(options: options)
    for first in stride(from: 0, to: 100, by: 10) {
      try await store.save((first..<first + 10).map { try heartBeat(60, at: Double($0)) })
    }
    let late = HKQuery.predicateForSamples(withStart: testStart.addingTimeInterval(5), end: nil)
    #expect(try await store.deleteObjects(of: testHeartRate, predicate: late) == 95)
    #expect(try await store.beats().count == 5)
    #expect(try await store.changes(after: nil).deletedObjects.count == 95)
  }

  @Test func `an object that appears twice in an array is deleted once`() async throws {
    let samples = try (0..<3).map { try heartBeat(Double($0)) }
    try await store.save(samples)
    try await store.delete([samples[0], samples[0], samples[2]])
    #expect(try await store.beats() == [1])
    // Deletes all of them or none.
    await #expect(throws: HKError.self) { try await store.delete([samples[1], samples[0]]) }
    #expect(try await store.beats() == [1])
  }

  @Test func `an object that is not a sample is refused`() async throws {
    let object = HKObject(
      built: BuiltSample(
        uuid: UUID(), sampleType: testHeartRate, startDate: testStart, endDate: testStart))
    await #expect(throws: HKError.self) { try await store.save(object) }
  }

  @Test func `a sample that two saved correlations contain is saved once`() async throws {
    let food = HKCorrelationType(.food)
    let shared = try heartBeat(60)
    let meals = try (0..<2).map { _ in
      try HKCorrelation.validated(type: food, start: testStart, end: testStart, objects: [shared])
    }
    try await store.save(meals + [shared])
    #expect(try await store.beats() == [60])
    let found = try await store.read(.correlation(type: food))
    #expect(found.map { $0.objects.map(\.uuid) } == [[shared.uuid], [shared.uuid]])
    try await store.delete(shared)
    let later = try await store.read(.correlation(type: food))
    #expect(later.map(\.objects) == [[], []])
  }

  @Test(arguments: [0, 1])
  func `a sample of two correlations belongs to the other when one is deleted`(
    first: Int
  ) async throws {
    let food = HKCorrelationType(.food)
    let shared = try heartBeat(60)
    let meals = try (0..<2).map { _ in
      try HKCorrelation.validated(type: food, start: testStart, end: testStart, objects: [shared])
    }
    try await store.save(meals)
    let alone = HKQuery.predicateForObjectsWithNoCorrelation()
    try await store.delete(meals[first])
    #expect(try await store.beats(alone) == [])
    try await store.delete(meals[1 - first])
    #expect(try await store.beats(alone) == [60])
  }

  @Test func `a newer version of a contained sample replaces it`() async throws {
    func sample(_ value: Double, _ version: Int) throws -> HKQuantitySample {
      try heartBeat(
        value, metadata: [HKMetadataKeySyncIdentifier: "x", HKMetadataKeySyncVersion: version])
    }
    let food = HKCorrelationType(.food)
    try await store.save(
      HKCorrelation.validated(
        type: food, start: testStart, end: testStart, objects: [sample(60, 1)]))
    for version in 2...3 {
      try await store.save(sample(60 + Double(version), version))
      let found = try await store.read(.correlation(type: food))
      let values = found.first?.objects.compactMap { ($0 as? HKQuantitySample)?.quantity.value }
      #expect(values == [60 + Double(version)])
      #expect(try await store.beats(HKQuery.predicateForObjectsWithNoCorrelation()) == [])
    }
  }

  @Test func `a task that was cancelled before saves nothing`() async throws {
    let store = store
    let sample = try heartBeat(60)
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await store.save(sample)
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try await store.beats() == [])
  }

  @Test func `concurrent savers all succeed`() async throws {
    let store = store
    try await withThrowingTaskGroup(of: Void.self) { group in
      for saver in 0..<8 {
        group.addTask {
          for number in 0..<20 {
            try await store.save(heartBeat(60, at: Double(saver * 100 + number)))
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try await store.beats().count == 160)
  }
}
