import HealthKit
import Testing

/// Goals and days that are set as a whole, which HealthKit does not have.
@Suite struct ActivitySettingTests {
  let store = HKHealthStore.inMemory()
  let day: ActivityDay

  init() throws {
    day = try ActivityDay(2026, 7, 1, in: "America/New_York")
    store.calendar = day.calendar
  }

  private func summaries() async throws -> [HKActivitySummary] {
    try await HKActivitySummaryQueryDescriptor(predicate: nil).result(for: store)
  }

  @Test func `goals are zero or nil until they are set, and nothing is paused`() async throws {
    try await store.save(day.energy(1, hour: 1))
    let summary = try #require(try await summaries().first)
    #expect(summary.activeEnergyBurnedGoal.doubleValue(for: .kilocalorie()) == 0)
    #expect(summary.appleMoveTimeGoal.doubleValue(for: .minute()) == 0)
    #expect(summary.exerciseTimeGoal == nil)
    #expect(summary.standHoursGoal == nil)
    #expect(summary.activityMoveMode == .activeEnergy)
    #expect(!summary.isPaused)
  }

  @Test func `goals apply from their day until they change`() async throws {
    try await store.save((0..<4).map { day.energy(1, hour: Double($0) * 24) })
    try await store.setActivityGoals(day.goals(300), from: day.components(2))
    try await store.setActivityGoals(day.goals(100))
    try await store.setActivityGoals(day.goals(200), from: day.components(1))
    #expect(try await summaries().energyGoals == [100, 200, 300, 300])
    try await store.setActivityGoals(nil, from: day.components(1))
    #expect(try await summaries().energyGoals == [100, 100, 300, 300])
  }

  @Test func `goals set every property of a summary`() async throws {
    try await store.save(day.energy(1, hour: 1))
    var goals = ActivityGoals()
    goals.appleMoveTime = HKQuantity(unit: .hour(), doubleValue: 1)
    goals.exerciseTime = HKQuantity(unit: .minute(), doubleValue: 30)
    goals.standHours = HKQuantity(unit: .count(), doubleValue: 12)
    goals.moveMode = .appleMoveTime
    goals.isPaused = true
    try await store.setActivityGoals(goals)
    let summary = try #require(try await summaries().first)
    #expect(summary.appleMoveTimeGoal == goals.appleMoveTime)
    #expect(summary.exerciseTimeGoal == goals.exerciseTime)
    #expect(summary.standHoursGoal == goals.standHours)
    #expect(summary.activityMoveMode == .appleMoveTime)
    #expect(summary.isPaused)
  }

  @Test func `the move mode is the characteristic unless goals have one`() async throws {
    try await store.save(day.energy(1, hour: 1))
    try await store.setActivityMoveMode(.appleMoveTime)
    #expect(try await summaries().map(\.activityMoveMode) == [.appleMoveTime])
    var goals = ActivityGoals()
    goals.moveMode = .activeEnergy
    try await store.setActivityGoals(goals)
    #expect(try await summaries().map(\.activityMoveMode) == [.activeEnergy])
  }

  @Test func `a day that was set as a whole keeps its values`() async throws {
    let whole = HKActivitySummary()
    whole.activeEnergyBurned = HKQuantity(unit: .kilocalorie(), doubleValue: 500)
    whole.activeEnergyBurnedGoal = HKQuantity(unit: .kilocalorie(), doubleValue: 450)
    whole.standHoursGoal = HKQuantity(unit: .count(), doubleValue: 10)
    whole.isPaused = true
    try await store.setActivitySummaries([day.components(): whole])
    try await store.save([day.energy(3, hour: 1), day.stood(hour: 2), day.energy(4, hour: 30)])
    try await store.setActivityGoals(day.goals(100))
    let found = try await summaries()
    #expect(found.energies == [500, 4])
    #expect(found.energyGoals == [450, 100])
    #expect(found.first?.isPaused == true)
    #expect(found.first?.standHoursGoal == whole.standHoursGoal)
    #expect(found.first?.appleStandHours.doubleValue(for: .count()) == 0)
    try await store.setActivitySummaries([day.components(): nil])
    #expect(try await summaries().energies == [3, 4])
  }

  @Test func `days far apart are kept when the store is reopened`() async throws {
    let directory = TemporaryDirectory()
    let database = try HealthDatabase(directory: directory.url)
    let written = database.store(subject: "ada")
    var days: [DateComponents: HKActivitySummary?] = [:]
    for number in [-20_000, -1, 0, 1, 31, 32, 400] {
      let summary = HKActivitySummary()
      summary.appleExerciseTime = HKQuantity(unit: .minute(), doubleValue: Double(number + 20_000))
      days[day.components(number)] = summary
    }
    try await written.setActivitySummaries(days)
    try database.close()
    let read = try HKHealthStore(directory: directory.url, subject: "ada")
    let found = try await HKActivitySummaryQueryDescriptor(predicate: nil).result(for: read)
    #expect(
      found.map { $0.appleExerciseTime.doubleValue(for: .minute()) }
        == [0, 19_999, 20_000, 20_001, 20_031, 20_032, 20_400])
  }

  @Test func `invalid goals and days are refused`() async throws {
    let noDay = DateComponents(year: 2026, month: 2, day: 30)
    var wrong = ActivityGoals()
    wrong.standHours = HKQuantity(unit: .kilocalorie(), doubleValue: 1)
    var endless = ActivityGoals()
    endless.exerciseTime = HKQuantity(unit: .minute(), doubleValue: .infinity)
    let nothing = HKActivitySummary()
    nothing.appleMoveTime = HKQuantity(unit: .minute(), doubleValue: .nan)
    for attempt: () async throws -> Void in [
      { try await store.setActivityGoals(endless) },
      { try await store.setActivitySummaries([day.components(): nothing]) },
      { try await store.setActivityGoals(day.goals(1), from: noDay) },
      { try await store.setActivityGoals(wrong) },
      { try await store.setActivitySummaries([noDay: HKActivitySummary()]) },
    ] {
      do {
        try await attempt()
        Issue.record("nothing was thrown")
      } catch HKError.errorInvalidArgument {
      }
    }
    #expect(try await summaries() == [])
  }
}
