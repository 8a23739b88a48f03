import HealthKit
import Testing

/// Queries about everybody in a database, or about some people.
@Suite struct CohortTests {
  private let database: HealthDatabase
  private let day = 86_400.0
  private let days = DateComponents(day: 1)
  private let watch = HKSource(name: "Watch", bundleIdentifier: "watch")
  private let phone = HKSource(name: "iPhone", bundleIdentifier: "phone")

  init() async throws {
    database = try HealthDatabase.inMemory()
    try await ada.save([beat(60), beat(70, day), beat(80, day + 1)])
    try await bob.save([beat(100, 5), beat(50, 3 * day)])
    try await ada.save([
      try minute(100, from: watch, product: "Watch7,1"),
      try minute(90, 30, from: phone, product: "iPhone15,2"),
      try minute(7, day, from: phone, product: "iPhone15,2"),
    ])
    try await bob.save([try minute(40, from: phone, product: "iPhone15,2")])
  }

  private var ada: HKHealthStore { database.store(subject: "ada") }
  private var bob: HKHealthStore { database.store(subject: "bob") }
  private var rates: HKSamplePredicate<HKQuantitySample> { .quantitySample(type: heartRate) }
  private var walks: HKSamplePredicate<HKQuantitySample> { .quantitySample(type: steps) }

  @Test func `totals include the samples of every subject`() async throws {
    let all = try await database.cohort().totals(of: rates)
    #expect(all.map(\.sampleCount) == [5])
    #expect(all[0].sum == nil && all[0].subject == nil && all[0].source == nil)
    #expect(all[0].average.doubleValue(for: beatsPerMinute) == 72)
    #expect(all[0].minimum.doubleValue(for: beatsPerMinute) == 50)
    #expect(all[0].maximum.doubleValue(for: beatsPerMinute) == 100)
    #expect(all[0].startDate == .distantPast && all[0].endDate == .distantFuture)
    let walked = try await database.cohort().totals(of: walks)
    #expect(walked.map { $0.sum?.doubleValue(for: .count()) } == [237], "sources are not merged")
  }

  @Test func `totals by day, person and source have the right dates, names and sources`()
    async throws
  {
    let byDay = try await database.cohort().totals(of: rates, every: days, from: start)
    #expect(byDay.map(\.sampleCount) == [2, 2, 1])
    #expect(byDay.map(\.startDate) == [0, 1, 3].map { start.addingTimeInterval($0 * day) })
    #expect(byDay.map(\.endDate) == [1, 2, 4].map { start.addingTimeInterval($0 * day) })
    let bySubject = try await database.cohort().totals(of: rates, groupedBy: .subject)
    #expect(
      Dictionary(uniqueKeysWithValues: bySubject.map { ($0.subject, $0.sampleCount) })
        == ["ada": 3, "bob": 2])
    let bySource = try await database.cohort().totals(
      of: walks, every: days, from: start, groupedBy: [.subject, .source])
    let found = Set(
      bySource.map { "\($0.subject ?? "?") \($0.source?.name ?? "?") \($0.sampleCount)" })
    #expect(found == ["ada Watch 1", "ada iPhone 1", "bob iPhone 1"])
    #expect(bySource.count == 4)
  }

  @Test func `a cohort of some people has only their samples, and a predicate filters them`()
    async throws
  {
    let cohort = database.cohort(["bob", "zoe", "bob"])
    #expect(try await cohort.totals(of: rates).map(\.sampleCount) == [2])
    let high = HKQuery.predicateForQuantitySamples(
      with: .greaterThan, quantity: HKQuantity(unit: beatsPerMinute, doubleValue: 65))
    let predicate = HKSamplePredicate.quantitySample(type: heartRate, predicate: high)
    #expect(try await cohort.totals(of: predicate).map(\.sampleCount) == [1])
    #expect(try await database.cohort().totals(of: predicate).map(\.sampleCount) == [3])
    #expect(try await database.cohort([]).totals(of: rates).isEmpty)
  }

  @Test func `values in several units are converted`() async throws {
    let perSecond = HKUnit.count().unitDivided(by: .second())
    try await bob.save(
      HKQuantitySample(
        type: heartRate, quantity: HKQuantity(unit: perSecond, doubleValue: 2), start: start,
        end: start))
    let all = try await database.cohort().totals(of: rates)
    #expect(all.map(\.sampleCount) == [6])
    #expect(all[0].maximum.doubleValue(for: beatsPerMinute) == 120)
    #expect(all[0].average.doubleValue(for: beatsPerMinute) == 80)
  }

  @Test func `statistics merge each person's sources and then combine the people`() async throws {
    let all = try await database.cohort().statistics(
      of: walks, .cumulativeSum, every: days, from: start)
    #expect(all.map(\.subjectCount) == [2, 1])
    // The watch's minute counts, and half of the phone's.
    #expect(all.map { $0.sum.doubleValue(for: .count()) } == [185, 7])
    #expect(all[0].minimum.doubleValue(for: .count()) == 40)
    #expect(all[0].maximum.doubleValue(for: .count()) == 145)
    #expect(all[0].average.doubleValue(for: .count()) == 92.5)
    #expect(all.map(\.startDate) == [start, start.addingTimeInterval(day)])
    let one = try await database.cohort(["bob"]).statistics(
      of: walks, .cumulativeSum, every: days, from: start)
    #expect(one.map { $0.sum.doubleValue(for: .count()) } == [40])
    let highest = try await database.cohort().statistics(
      of: rates, .discreteMax, every: days, from: start)
    #expect(highest.map { $0.average.doubleValue(for: beatsPerMinute).rounded() } == [80, 80, 50])
  }

  @Test func `invalid arguments are refused`() async throws {
    let cohort = database.cohort()
    await #expect(throws: HKStatisticsError.self) {
      try await cohort.totals(of: rates, every: DateComponents())
    }
    await #expect(throws: HKStatisticsError.self) {
      try await cohort.statistics(of: rates, .cumulativeSum, every: days)
    }
    let several = await code {
      try await cohort.statistics(of: rates, [.discreteMin, .discreteMax], every: days)
    }
    #expect(several == .errorInvalidArgument)
    let workout = HKWorkout(activityType: .running, start: start, end: start)
    let members = HKSamplePredicate.quantitySample(
      type: heartRate, predicate: HKQuery.predicateForObjects(from: workout))
    #expect(await code { try await cohort.totals(of: members) } == .errorInvalidArgument)
    let far = await code {
      try await cohort.totals(of: rates, every: DateComponents(nanosecond: 1_000_000))
    }
    #expect(far == .errorInvalidArgument)
    try database.close()
    #expect(await code { try await cohort.totals(of: rates) } == .errorDatabaseInaccessible)
  }
}
