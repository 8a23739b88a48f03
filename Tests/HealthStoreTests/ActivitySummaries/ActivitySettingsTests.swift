import Foundation
import SampleLog
import SampleLogSimulation
import Testing

@testable import HealthStore

/// Goals and days in their stored form.
@Suite struct ActivitySettingsTests {
  private let database: Database
  private let store: HKHealthStore

  init() throws {
    database = try Database(path: "/settings", fileSystem: MemoryFileSystem())
    store = HKHealthStore(database: database, subject: "ada")
  }

  private var series: SeriesKey {
    SeriesKey(
      subject: database.symbols.intern("ada"),
      type: database.symbols.intern(HKObjectType.activitySummaryType().identifier))
  }

  private func summaries() async throws -> [HKActivitySummary] {
    try await HKActivitySummaryQueryDescriptor(predicate: nil).result(for: store)
  }

  @Test(arguments: [0, 1, 3, 9, 10, 11, 13, 19, 28])
  func `truncated settings throw an error`(length: Int) async throws {
    var goals = ActivityGoals()
    goals.standHours = HKQuantity(unit: .count(), doubleValue: 12)
    try await store.setActivityGoals(goals)
    let bytes = try #require(try database.setting("activity", of: series))
    try #require(length < bytes.count)
    // An empty setting is a removed one and therefore valid, so length 0 tests an unknown version.
    let cut = length == 0 ? [2] : Array(bytes.prefix(length))
    try database.set("activity", of: series, to: cut)
    let isReadable = ActivityIndex(cut) != nil
    // All goals may be missing after the extent.
    #expect(isReadable == (length == 10))
    if isReadable { return }
    do {
      _ = try await summaries()
      Issue.record("the summaries were read")
    } catch HKError.errorDatabaseInaccessible {
    }
  }

  @Test func `a distant day adds only its own group`() async throws {
    let calendar = Calendar(identifier: .gregorian)
    let days = [2026, 400_000].map {
      DateComponents(calendar: calendar, year: $0, month: 1, day: 1)
    }
    for day in days { try await store.setActivitySummaries([day: HKActivitySummary()]) }
    #expect(try await summaries().count == 2)
    #expect(try OpenStore(database).activityIndex(series).groups.count == 2)
    try await store.setActivitySummaries([days[1]: nil])
    #expect(try await summaries().count == 1)
    try await store.setActivitySummaries([days[0]: nil])
    let index = try OpenStore(database).activityIndex(series)
    #expect(index.groups.isEmpty, "removed days leave a group")
  }

  @Test func `truncated days throw an error`() async throws {
    let day = DateComponents(
      calendar: Calendar(identifier: .gregorian), year: 2026, month: 1, day: 1)
    let summary = HKActivitySummary()
    summary.appleMoveTime = HKQuantity(unit: .minute(), doubleValue: 5)
    try await store.setActivitySummaries([day: summary])
    let number = try #require(CalendarDay(day))
    let name = "activity/\(ActivityDays.group(of: number))"
    let bytes = try #require(try database.setting(name, of: series))
    for length in 1..<bytes.count where length != 1 {
      #expect(ActivityDays(Array(bytes.prefix(length))) == nil)
    }
    try database.set(name, of: series, to: Array(bytes.dropLast()))
    do {
      _ = try await summaries()
      Issue.record("the summaries were read")
    } catch HKError.errorDatabaseInaccessible {
    }
  }

  @Test func `random and altered bytes decode to settings or nil, and never trap`() async throws {
    var goals = ActivityGoals()
    goals.exerciseTime = HKQuantity(unit: .minute(), doubleValue: 30)
    try await store.setActivityGoals(goals)
    let known = try #require(try database.setting("activity", of: series))
    var random = Seeded(7)
    var read = 0
    for _ in 0..<20_000 {
      var bytes = known
      if random.oneIn(2) {
        bytes = (0..<random.below(60)).map { _ in UInt8(random.below(256)) }
        if random.oneIn(2), !bytes.isEmpty { bytes[0] = 1 }
      } else {
        bytes[random.below(bytes.count)] = UInt8(random.below(256))
      }
      if ActivityIndex(bytes) != nil { read += 1 }
      if ActivityDays(bytes) != nil { read += 1 }
    }
    // A changed number can still decode.
    #expect(read > 0)
  }

  @Test func `days of two concurrent tasks are all kept`() async throws {
    let calendar = Calendar(identifier: .gregorian)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for day in 1...20 {
        group.addTask { [store] in
          let components = DateComponents(calendar: calendar, year: 2026, month: 1, day: day)
          try await store.setActivitySummaries([components: HKActivitySummary()])
        }
      }
      try await group.waitForAll()
    }
    #expect(try await summaries().count == 20)
  }

  @Test(arguments: 0..<12)
  func `incrementally updated summaries equal fresh ones`(seed: Int) throws {
    var random = Seeded(mixing: UInt64(seed), 91)
    // The clock goes back, the clock goes forward at midnight, and Samoa skips 30 December 2011.
    let (zone, first) = [
      ("Europe/Berlin", 15_271), ("America/Sao_Paulo", 15_257), ("Pacific/Apia", 15_330),
    ][seed % 3]
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = try #require(TimeZone(identifier: zone))
    let reader = StoreReader(try store.location.open(), subject: "ada")
    let feed = try ChangeFeed(
      database, after: nil, of: LiveActivitySummaries.selection(reader))
    var live = try LiveActivitySummaries(.always, calendar: calendar, reader)
    func anyDay() -> CalendarDay { CalendarDay(number: first + random.below(20)) }
    var saved: [HKSample] = []
    for step in 0..<12 {
      switch random.below(6) {
      case 0 where !saved.isEmpty:
        saved.shuffle(using: &random)
        let gone = saved.suffix(1 + random.below(saved.count))
        saved.removeLast(gone.count)
        try reader.store.delete(Array(gone), subject: "ada")
      case 1: try database.compact()
      case 2:
        let goals = random.oneIn(3) ? nil : ActivityGoals()
        try reader.store.setActivityGoals(goals, from: anyDay(), "ada")
      case 3:
        let day = anyDay()
        let values = random.oneIn(3) ? nil : ActivitySummaryValues(day: day)
        try reader.store.setActivityDays([day: values], "ada")
      default:
        let new = try (0..<1 + random.below(12)).map { _ in try sample(first, &random) }
        try reader.store.save(new, subject: "ada")
        saved += new
      }
      let before = live.summaries
      var changed: [HKActivitySummary] = []
      while let some = try live.update(from: feed) { changed += some }
      let fresh = try LiveActivitySummaries(.always, calendar: calendar, reader).summaries
      #expect(live.summaries == fresh, "\(zone), seed \(seed), step \(step)")
      let days = Set(before).symmetricDifference(fresh).compactMap(\.day)
      #expect(Set(days) == Set(changed.compactMap(\.day)), "\(zone), seed \(seed), step \(step)")
    }
  }

  /// A sample whose duration is a power of two of hours, so that its share in each day is exact.
  private func sample(_ firstDay: Int, _ random: inout Seeded) throws -> HKSample {
    let start = Date(
      timeIntervalSince1970: Double(firstDay) * 86_400 + Double(random.below(400)) * 3_600)
    let end = start.addingTimeInterval([0, 1, 2, 4, 8, 16, 32][random.below(7)] * 3_600)
    if random.oneIn(3) {
      return HKCategorySample(
        type: HKCategoryType(.appleStandHour), value: random.below(2), start: start, end: start)
    }
    let types: [(HKQuantityTypeIdentifier, HKUnit)] = [
      (.activeEnergyBurned, .kilocalorie()), (.appleMoveTime, .minute()),
      (.appleExerciseTime, .minute()),
    ]
    let (type, unit) = types[random.below(3)]
    return try HKQuantitySample.validated(
      type: HKQuantityType(type),
      quantity: HKQuantity(unit: unit, doubleValue: Double(64 * random.below(10))), start: start,
      end: end, sourceRevision: Make.revision(["a", "b"][random.below(2)]))
  }
}
