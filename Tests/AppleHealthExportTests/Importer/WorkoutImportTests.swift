import AppleHealthExport
import Foundation
import HealthStore
import Testing

@Suite struct WorkoutImportTests {
  private let store = HKHealthStore.inMemory()

  private static let body = """
    <Workout workoutActivityType="HKWorkoutActivityTypeCycling" duration="28.5" \
    durationUnit="min" sourceName="Watch" sourceVersion="10.1" \
    startDate="2024-02-01 08:00:00 +0100" endDate="2024-02-01 08:30:00 +0100">
    <MetadataEntry key="HKIndoorWorkout" value="1"/>
    <WorkoutEvent type="HKWorkoutEventTypePause" date="2024-02-01 08:10:00 +0100"/>
    <WorkoutEvent type="HKWorkoutEventTypeResume" date="2024-02-01 08:11:30 +0100">
    <MetadataEntry key="why" value="rain"/></WorkoutEvent>
    <WorkoutEvent type="HKWorkoutEventTypeLap" date="2024-02-01 08:00:00 +0100" \
    duration="5" durationUnit="min"/>
    <WorkoutStatistics type="HKQuantityTypeIdentifierActiveEnergyBurned" \
    startDate="2024-02-01 08:00:00 +0100" endDate="2024-02-01 08:30:00 +0100" sum="210.5" \
    unit="kcal"/>
    <WorkoutStatistics type="HKQuantityTypeIdentifierDistanceCycling" \
    startDate="2024-02-01 08:00:00 +0100" endDate="2024-02-01 08:30:00 +0100" sum="9.25" \
    unit="km"/>
    <WorkoutStatistics type="HKQuantityTypeIdentifierHeartRate" \
    startDate="2024-02-01 08:00:00 +0100" endDate="2024-02-01 08:30:00 +0100" average="121.5" \
    minimum="88" maximum="151" unit="count/min"/>
    <WorkoutActivity uuid="5E6C1BCE-7F4A-4A36-9C8C-2F6B0D1C7A11" \
    startDate="2024-02-01 08:00:00 +0100" endDate="2024-02-01 08:20:00 +0100"/>
    <WorkoutActivity startDate="2024-02-01 08:20:00 +0100" endDate="2024-02-01 08:30:00 +0100"/>
    </Workout>
    """

  private func importing(_ body: String, into other: HKHealthStore? = nil) throws -> ImportSummary {
    try ExportImporter(into: other ?? store).run(ExportReader(MemoryInput(export(body))))
  }

  private func workouts(_ other: HKHealthStore? = nil) async throws -> [HKWorkout] {
    try await HKSampleQueryDescriptor(
      predicates: [.workout()], sortDescriptors: [SortDescriptor(\.startDate)]
    ).result(for: other ?? store)
  }

  @Test func `A workout keeps everything in the export`() async throws {
    let summary = try importing(Self.body)
    #expect(summary.added == 1 && summary.rejected == 0 && summary.unrepresented.isEmpty)
    let workout = try #require(await workouts().first)
    #expect(workout.workoutActivityType == .cycling)
    #expect(workout.duration == 28.5 * 60)
    #expect(workout.endDate.timeIntervalSince(workout.startDate) == 1800)
    #expect(workout.sourceRevision.source.name == "Watch")
    #expect(workout.metadata?[HKMetadataKeyIndoorWorkout] as? Bool == true)
    #expect(workout.totalEnergyBurned?.doubleValue(for: .kilocalorie()) == 210.5)
    #expect(workout.totalDistance?.doubleValue(for: .meterUnit(with: .kilo)) == 9.25)
    let events = try #require(workout.workoutEvents)
    #expect(events.map(\.type) == [.lap, .pause, .resume])
    #expect(events[0].dateInterval.duration == 300)
    #expect(events[2].metadata?["why"] as? String == "rain")
    let heartRate = try #require(workout.statistics(for: HKQuantityType(.heartRate)))
    let unit = HKUnit.count().unitDivided(by: .minute())
    #expect(heartRate.averageQuantity()?.doubleValue(for: unit) == 121.5)
    #expect(heartRate.minimumQuantity()?.doubleValue(for: unit) == 88)
    #expect(heartRate.maximumQuantity()?.doubleValue(for: unit) == 151)
    #expect(workout.allStatistics.count == 3)
    let activities = workout.workoutActivities
    #expect(activities.map(\.duration) == [1110, 600], "without the pause")
    #expect(activities[0].uuid.uuidString == "5E6C1BCE-7F4A-4A36-9C8C-2F6B0D1C7A11")
  }

  @Test func `Importing again adds nothing, and another store gets the same samples`() async throws
  {
    _ = try importing(Self.body)
    #expect(try importing(Self.body).added == 0)
    let other = HKHealthStore.inMemory()
    _ = try importing(Self.body, into: other)
    let (first, second) = try await (workouts(), workouts(other))
    #expect(first.count == 1)
    #expect(first.map(\.uuid) == second.map(\.uuid))
    #expect(
      first[0].workoutActivities.map(\.uuid) == second[0].workoutActivities.map(\.uuid))
  }

  @Test func `Totals of exports before 2022 are kept`() async throws {
    let body = """
      <Workout workoutActivityType="HKWorkoutActivityTypeRunning" duration="30" \
      durationUnit="min" totalDistance="3" totalDistanceUnit="mi" totalEnergyBurned="1000" \
      totalEnergyBurnedUnit="kJ" sourceName="Watch" startDate="2018-02-01 08:00:00 +0100" \
      endDate="2018-02-01 08:30:00 +0100"/>
      """
    _ = try importing(body)
    let workout = try #require(await workouts().first)
    #expect(workout.totalDistance?.doubleValue(for: .mile()) == 3)
    #expect(workout.totalEnergyBurned?.doubleValue(for: .jouleUnit(with: .kilo)) == 1000)
    #expect(workout.allStatistics.isEmpty)
    #expect(workout.workoutActivities.count == 1)
  }

  @Test func `An unknown activity is imported as other and named`() async throws {
    let body = Self.body.replacingOccurrences(of: "TypeCycling\"", with: "TypeHoverboarding\"")
    let summary = try importing(body)
    #expect(summary.unknownTypes.keys.contains("HKWorkoutActivityTypeHoverboarding"))
    #expect(try await workouts().map(\.workoutActivityType) == [.other])
  }

  @Test(arguments: [
    ("HKWorkoutEventTypeLap", "HKWorkoutEventTypeSomersault"), ("kcal", "furlong"),
    ("HKQuantityTypeIdentifierHeartRate", "HKQuantityTypeIdentifierOfTomorrow"),
    ("duration=\"28.5\"", "duration=\"-1\""), ("duration=\"28.5\"", "duration=\"1e308\""),
    ("durationUnit=\"min\" sourceName", "durationUnit=\"parsec\" sourceName"),
    ("duration=\"5\" durationUnit=\"min\"", "duration=\"5\" durationUnit=\"km\""),
    ("endDate=\"2024-02-01 08:20:00", "endDate=\"2024-02-01 07:20:00"),
  ])
  func `An invalid part is counted, and the workout is kept`(
    good: String, bad: String
  ) async throws {
    let summary = try importing(Self.body.replacingOccurrences(of: good, with: bad))
    #expect(summary.rejected == 1)
    #expect(try await workouts().count == 1)
  }

  @Test func `A workout that ends before it starts is skipped and counted`() async throws {
    let body = Self.body.replacingOccurrences(
      of: "endDate=\"2024-02-01 08:30:00", with: "endDate=\"2024-02-01 07:30:00")
    #expect(try importing(body).rejected >= 1)
    #expect(try await workouts().isEmpty)
  }
}
