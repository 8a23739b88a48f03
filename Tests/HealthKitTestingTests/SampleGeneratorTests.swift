import HealthKit
import HealthKitTesting
import Testing

@Suite struct SampleGeneratorTests {
  private let generator: SampleGenerator
  /// 15 March 2026 in Berlin, an ordinary day.
  private let day = Date(timeIntervalSince1970: 1_773_570_000)
  private let berlin: Calendar

  init() throws {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = try #require(TimeZone(identifier: "Europe/Berlin"))
    berlin = calendar
    generator = SampleGenerator(seed: 7, calendar: calendar)
  }

  /// The content of samples, without their UUIDs.
  private func facts(_ samples: [HKSample]) -> [String] {
    samples.map { sample in
      let value = (sample as? HKQuantitySample)?.quantity.description ?? ""
      let category = (sample as? HKCategorySample).map { String($0.value) } ?? ""
      return "\(sample.sampleType) \(sample.startDate) \(sample.endDate) \(value) \(category)"
    }
  }

  @Test func `a seed and a day determine the samples, whatever was generated before`() throws {
    let other = SampleGenerator(seed: 7, calendar: berlin)
    _ = try other.samples(on: day + 86_400)
    #expect(facts(try other.samples(on: day)) == facts(try generator.samples(on: day)))
    #expect(facts(try other.samples(on: day)) != facts(try other.samples(on: day + 86_400)))
    let generator = SampleGenerator(seed: 8, calendar: berlin)
    #expect(facts(try generator.heartRates(on: day)) != facts(try other.heartRates(on: day)))
    #expect(facts(try generator.sleep(endingOn: day)) != facts(try other.sleep(endingOn: day)))
  }

  @Test func `heart rates are within their day and the human range`() throws {
    let samples = try generator.heartRates(on: day)
    #expect((240...360).contains(samples.count))
    let unit = HKUnit.count().unitDivided(by: .minute())
    #expect(samples.allSatisfy { (40...100).contains($0.quantity.doubleValue(for: unit)) })
    #expect(samples.allSatisfy { berlin.isDate($0.startDate, inSameDayAs: day) })
    #expect(zip(samples, samples.dropFirst()).allSatisfy { $0.startDate < $1.startDate })
  }

  @Test func `the day on which clocks go forward has 23 hours of glucose`() throws {
    // 29 March 2026.
    let short = day + 14 * 86_400
    let samples = try generator.bloodGlucose(on: short)
    #expect(samples.count == 23 * 12)
    #expect(samples.allSatisfy { berlin.isDate($0.startDate, inSameDayAs: short) })
  }

  @Test func `steps of an iPhone and a Watch overlap, and statistics count them once`()
    async throws
  {
    let steps = try generator.steps(on: day)
    let watch = steps.filter { $0.sourceRevision == SampleGenerator.watch }
    let phone = steps.filter { $0.sourceRevision == SampleGenerator.phone }
    #expect(watch.count + phone.count == steps.count)
    #expect(watch.count < phone.count)
    #expect(
      watch.allSatisfy { seen in
        phone.contains { $0.startDate < seen.endDate && seen.startDate < $0.endDate }
      })
    func sum(_ samples: [HKQuantitySample]) async throws -> Double {
      let statistics = try await HKStatistics.computed(from: samples, options: .cumulativeSum)
      return try #require(statistics.sumQuantity()).doubleValue(for: .count())
    }
    let (merged, one, other) = (try await sum(steps), try await sum(watch), try await sum(phone))
    #expect(merged > max(one, other) && merged < (one + other) * 0.8)
  }

  @Test func `stages of sleep follow one another within the time in bed`() throws {
    let samples = try generator.sleep(endingOn: day)
    let bed = try #require(samples.first)
    #expect(bed.value == HKCategoryValueSleepAnalysis.inBed.rawValue)
    let stages = samples.dropFirst()
    #expect(stages.count > 15)
    #expect(Set(stages.map(\.value)).count == 4)
    #expect(zip(stages, stages.dropFirst()).allSatisfy { $0.endDate == $1.startDate })
    #expect(stages.allSatisfy { bed.startDate < $0.startDate && $0.endDate < bed.endDate })
  }

  @Test func `saving the same glucose again changes nothing, and a newer version replaces it`()
    async throws
  {
    let store = HKHealthStore.inMemory()
    func changes(_ anchor: HKQueryAnchor?) async throws
      -> HKAnchoredObjectQueryDescriptor<HKQuantitySample>.Result
    {
      try await HKAnchoredObjectQueryDescriptor(
        predicates: [.quantitySample(type: HKQuantityType(.bloodGlucose))], anchor: anchor
      ).result(for: store)
    }
    try await store.save(try generator.bloodGlucose(on: day))
    let first = try await changes(nil)
    #expect(first.addedSamples.count == 288)
    try await store.save(try generator.bloodGlucose(on: day))
    let second = try await changes(first.newAnchor)
    #expect(second.addedSamples.isEmpty && second.deletedObjects.isEmpty)
    try await store.save(try generator.bloodGlucose(on: day, version: 2))
    let third = try await changes(first.newAnchor)
    #expect(third.addedSamples.count == 288 && third.deletedObjects.count == 288)
  }

  @Test func `several days are saved in order`() async throws {
    let store = HKHealthStore.inMemory()
    try await generator.save(days: 3, from: day, into: store)
    let starts = try await HKSampleQueryDescriptor(
      predicates: [.quantitySample(type: HKQuantityType(.heartRate))], sortDescriptors: []
    ).result(for: store).map { berlin.startOfDay(for: $0.startDate) }
    #expect(Set(starts).count == 3)
    #expect(starts.first == berlin.startOfDay(for: day))
  }
}
