import HealthKit
import Testing

/// Documented behaviour of HealthKit that no other suite covers.
///
/// Docs/healthkit-conformance.md lists all of it.
@Suite struct ConformanceTests {
  let store = HKHealthStore.inMemory()

  private func interval(_ first: TimeInterval, _ last: TimeInterval) -> HKQuantitySample {
    HKQuantitySample(
      type: steps, quantity: HKQuantity(unit: .count(), doubleValue: 1),
      start: start.addingTimeInterval(first), end: start.addingTimeInterval(last))
  }

  // MARK: Predicates and reading

  @Test func `a sample across midnight is found on both days`() async throws {
    try await store.save(interval(-60, 0))
    let before = HKQuery.predicateForSamples(
      withStart: start.addingTimeInterval(-3_600), end: start, options: [])
    let after = HKQuery.predicateForSamples(
      withStart: start, end: start.addingTimeInterval(3_600), options: [])
    #expect(try await store.samples(steps, predicate: before).count == 1)
    #expect(try await store.samples(steps, predicate: after).count == 1)
  }

  @Test func `a sample without duration is inside at the start of a range, and outside at the end`()
    async throws
  {
    try await store.save([beat(60), beat(61, 10)])
    let predicate = HKQuery.predicateForSamples(
      withStart: start, end: start.addingTimeInterval(10), options: [])
    #expect(try await store.samples(heartRate, predicate: predicate).beats == [60])
  }

  @Test(arguments: [nil, HKObjectQueryNoLimit])
  func `a descriptor without a limit returns everything`(limit: Int?) async throws {
    try await store.save((0..<500).map { beat(60, Double($0)) })
    let descriptor = HKSampleQueryDescriptor(
      predicates: [.quantitySample(type: heartRate)], sortDescriptors: [], limit: limit)
    #expect(try await descriptor.result(for: store).count == 500)
  }

  @Test func `an anchor can be used with another predicate`() async throws {
    try await store.save([beat(60), beat(150, 1)])
    let anchor = try await store.anchored(heartRate, anchor: nil).anchor
    try await store.save([beat(61, 2), beat(151, 3)])
    let fast = HKQuery.predicateForQuantitySamples(
      with: .greaterThan, quantity: HKQuantity(unit: beatsPerMinute, doubleValue: 100))
    let found = try await store.anchored(heartRate, predicate: fast, anchor: anchor)
    #expect(found.samples?.beats == [151])
  }

  @Test func `changes are delivered in commit order, not in order of their dates`() async throws {
    for offset in [30.0, 10, 20] { try await store.save(beat(60 + offset, offset)) }
    #expect(try await store.anchored(heartRate, anchor: nil).samples?.beats == [90, 70, 80])
  }

  // MARK: Saving and deleting

  @Test func `the stored copy has a source, and the saved object is unchanged`()
    async throws
  {
    let sample = beat(60)
    let before = sample.sourceRevision
    try await store.save(sample)
    #expect(sample.sourceRevision == before)
    let stored = try #require(try await store.samples(heartRate).first)
    #expect(stored.uuid == sample.uuid)
    #expect(stored !== sample)
    #expect(stored.sourceRevision.source == HKSource.default())
  }

  @Test func `a sample of any age can be saved`() async throws {
    #expect(store.earliestPermittedSampleDate() == .distantPast)
    let old = HKQuantitySample(
      type: steps, quantity: HKQuantity(unit: .count(), doubleValue: 1), start: .distantPast,
      end: .distantPast)
    try await store.save(old)
    #expect(try await store.samples(steps).map(\.startDate) == [.distantPast])
  }

  @Test func `samples may share an external identifier`() async throws {
    let metadata = [HKMetadataKeyExternalUUID: "6E3F"]
    try await store.save([beat(60, metadata: metadata), beat(61, 1, metadata: metadata)])
    #expect(try await store.samples(heartRate).count == 2)
  }

  @Test func `deleting an array with an unknown object deletes none`() async throws {
    let sample = beat(60)
    try await store.save(sample)
    do {
      try await store.delete([sample, beat(61, 1)])
      Issue.record("an unknown object was deleted")
    } catch HKError.errorInvalidArgument {
    }
    #expect(try await store.samples(heartRate).beats == [60])
  }

  @Test func `an object of another source can be deleted, unlike HealthKit's`() async throws {
    let other = HKSource(name: "Other", bundleIdentifier: "org.example.other")
    try await store.save(minute(5, from: other, product: nil))
    let found = try #require(try await store.samples(steps).first)
    #expect(found.sourceRevision.source == other)
    try await store.delete(found)
    #expect(try await store.samples(steps) == [])
  }

  // MARK: Correlations

  private func meal(_ offset: TimeInterval) -> (HKCorrelation, HKQuantitySample) {
    let energy = HKQuantitySample(
      type: HKQuantityType(.dietaryEnergyConsumed),
      quantity: HKQuantity(unit: .kilocalorie(), doubleValue: 100),
      start: start.addingTimeInterval(offset), end: start.addingTimeInterval(offset))
    let meal = HKCorrelation(
      type: HKCorrelationType(.food), start: start, end: start, objects: [energy],
      metadata: [HKMetadataKeyFoodType: "soup"])
    return (meal, energy)
  }

  @Test func `deleting a correlation leaves its objects`() async throws {
    let (meal, energy) = meal(0)
    try await store.save(meal)
    try await store.delete(meal)
    #expect(try await store.samples(HKCorrelationType(.food)) == [])
    #expect(try await store.samples(energy.quantityType).map(\.uuid) == [energy.uuid])
  }

  @Test func `a correlation's objects may have other dates than the correlation`() async throws {
    try await store.save(meal(3_600).0)
    let found = try #require(
      try await store.samples(HKCorrelationType(.food)).first as? HKCorrelation)
    #expect(found.objects.first?.startDate == start.addingTimeInterval(3_600))
  }

  // MARK: Quantities

  @Test func `a percentage is a number from 0 to 1`() {
    let saturation = HKQuantity(unit: .percent(), doubleValue: 0.95)
    #expect(saturation.description == "0.95 %")
    #expect(saturation.doubleValue(for: .count()) == 0.95)
    #expect(HKUnit(from: "%") == .percent())
  }
}
