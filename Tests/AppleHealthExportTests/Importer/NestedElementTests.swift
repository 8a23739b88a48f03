import Foundation
import HealthStore
import Testing

@testable import AppleHealthExport

@Suite struct NestedElementTests {
  private let store = HKHealthStore.inMemory()

  private func efforts() async throws -> [HKWorkoutEffortRelationship] {
    let query = HKWorkoutEffortRelationshipQueryDescriptor(
      predicate: nil, anchor: nil, option: .default)
    return try await query.result(for: store).relationships
  }

  @Test func `An activity keeps its events and statistics`() async throws {
    let summary = try store.importing(Cases.text("activity-with-statistics/export.xml"))
    #expect(summary.reading.problems.isEmpty && summary.problems.isEmpty)
    #expect(summary.reading.unknownElements.isEmpty && summary.broken == nil)
    let workout = try #require(await store.workouts().first)
    #expect(workout.workoutEvents?.map(\.type) == [.segment, .pause, .resume])
    #expect(workout.allStatistics.count == 1)
    let (first, second) = (workout.workoutActivities[0], workout.workoutActivities[1])
    #expect(first.workoutEvents.map(\.type) == [.segment])
    #expect(first.workoutEvents.first?.dateInterval.duration == 330)
    let heartRate = try #require(first.statistics(for: HKQuantityType(.heartRate)))
    let unit = HKUnit.count().unitDivided(by: .minute())
    #expect(heartRate.averageQuantity()?.doubleValue(for: unit) == 164)
    #expect(heartRate.minimumQuantity()?.doubleValue(for: unit) == 132)
    let distance = first.statistics(for: HKQuantityType(.distanceWalkingRunning))
    #expect(distance?.sumQuantity()?.doubleValue(for: .meter()) == 4000)
    #expect(first.metadata?["WOIntervalStepKeyPath"] as? String == "0.0.0")
    #expect(second.workoutEvents.map(\.type) == [.pause, .resume])
    #expect(second.allStatistics.isEmpty && second.duration == 1800)
  }

  @Test func `A record inside a workout does not end it, and rates its effort`() async throws {
    let text = try Cases.text("nested-record/export.xml")
    // The elements after the record must be kept as well.
    let more = """
      <WorkoutStatistics type="HKQuantityTypeIdentifierActiveEnergyBurned" \
      startDate="2024-12-08 16:05:56 +0100" endDate="2024-12-08 16:35:43 +0100" sum="200" \
      unit="kcal"/><WorkoutEvent type="HKWorkoutEventTypeResume" \
      date="2024-12-08 16:14:37 +0100"/></Workout>
      """
    let summary = try store.importing(text.replacing("</Workout>", with: more))
    #expect(summary.reading.problems.isEmpty && summary.problems.isEmpty)
    #expect(summary.reading.mismatchedTags == 0)
    #expect(summary.reading.unknownElements == ["WorkoutZoneGroup": 1, "WorkoutZone": 2])
    #expect(summary.added == 2)
    let workout = try #require(await store.workouts().first)
    #expect(workout.allStatistics.count == 2)
    #expect(workout.workoutEvents?.count == 2)
    #expect(workout.metadata?.count == 2)
    let related = try await efforts()
    #expect(related.map(\.workout.uuid) == [workout.uuid])
    let score = related.first?.samples?.first as? HKQuantitySample
    #expect(score?.quantity.doubleValue(for: .appleEffortScore()) == 4)
    #expect(try store.importing(text).added == 0)
    #expect(try await efforts().count == 1)
  }

  @Test(arguments: [true, false])
  func `A record inside a workout and at top level is one sample`(isFirst: Bool) async throws {
    let text = try Cases.text("nested-record/export.xml")
    let start = try #require(text.range(of: "<Record"))
    let end = try #require(text.range(of: "/>", range: start.lowerBound..<text.endIndex))
    let record = String(text[start.lowerBound..<end.upperBound])
    let both =
      isFirst
      ? text.replacing("<Workout ", with: record + "<Workout ")
      : text.replacing("</Workout>", with: "</Workout>" + record)
    let summary = try store.importing(both)
    #expect((summary.added, summary.known) == (2, 0))
    #expect(try await store.quantities(.estimatedWorkoutEffortScore).count == 1)
  }

  @Test func `A record inside a workout or an activity is kept along with the workout`()
    async throws
  {
    let text = try Cases.text("activity-with-statistics/export.xml")
    let effort = record(
      "HKQuantityTypeIdentifierWorkoutEffortScore", value: "7",
      start: "2026-08-20 10:19:00 +0000", extra: #"unit="appleEffortScore""#)
    let wrapped = "<Wrapper>\(record(start: "2026-08-20 10:21:00 +0000"))</Wrapper>"
    let summary = try store.importing(
      text.replacing(
        "<WorkoutEvent type=\"HKWorkoutEventTypeSegment",
        with: effort + record()
          + wrapped + "<WorkoutEvent type=\"HKWorkoutEventTypeSegment"))
    #expect(summary.reading.problems.isEmpty && summary.reading.mismatchedTags == 0)
    #expect(summary.added == 4)
    #expect(try await store.quantities(.heartRate).count == 2)
    let workout = try #require(await store.workouts().first)
    #expect(workout.workoutActivities.first?.allStatistics.count == 2)
    let related = try await efforts()
    #expect(related.first?.activity?.uuid == workout.workoutActivities[0].uuid)
  }

  @Test func `Records after an unclosed workout are kept`() async throws {
    let text = try Cases.text("workout-without-end.xml")
    let summary = try store.importing(text)
    #expect(summary.added == 4 && summary.reading.mismatchedTags > 0)
    #expect(try await store.quantities(.heartRate).count == 3)
    #expect(try await store.workouts().first?.allStatistics.count == 1)
  }

  @Test(arguments: [
    "WorkoutEvent type=\"HKWorkoutEventTypeLap\" date",
    "WorkoutRoute sourceName=\"W\" endDate=\"2026-08-20 10:20:00 +0000\" startDate",
  ])
  func `A record inside a part of a workout is kept, and so is all that follows`(
    part: String
  ) async throws {
    let name = part.prefix { $0 != " " }
    let inside = "<\(part)=\"2026-08-20 10:20:00 +0000\">\(record())</\(name)>"
    let text = try Cases.text("activity-with-statistics/export.xml")
      .replacing(
        "<WorkoutEvent type=\"HKWorkoutEventTypePause",
        with: inside
          + "<WorkoutEvent type=\"HKWorkoutEventTypePause")
    let summary = try store.importing(text)
    #expect(summary.reading.mismatchedTags == 0 && summary.reading.problems.isEmpty)
    #expect(try await store.quantities(.heartRate).count == 1)
    #expect(try await store.workouts().first?.workoutActivities.count == 2)
  }

  @Test func `Records of this library's own after an unclosed workout are kept`()
    async throws
  {
    let folder = try TemporaryFolder()
    try store.importing(
      Cases.text("activity-with-statistics/export.xml").replacing(
        "</HealthData>", with: record() + "</HealthData>"))
    _ = try ExportWriter(from: store).write(to: folder.path + "/one")
    let path = URL(filePath: folder.path + "/one/export.xml")
    var text = String(decoding: try Data(contentsOf: path), as: UTF8.self)
    let start = try #require(text.range(of: " <Workout ")).lowerBound
    let end = try #require(text.range(of: " </Workout>\n"))
    let workout = String(text[start..<end.lowerBound])
    text.removeSubrange(start..<end.upperBound)
    let first = try #require(text.range(of: " <Record"))
    text.insert(contentsOf: workout, at: first.lowerBound)
    let copy = HKHealthStore.inMemory()
    #expect(try copy.importing(text).added == 2)
    #expect(try StoreContents(copy).samples == StoreContents(store).samples)
  }

  @Test func `The content of an unknown element belongs to the enclosing element`() async throws {
    let text = try Cases.text("nested-record/export.xml").replacing(
      "<WorkoutZone maximum=\"132\"",
      with: """
        <MetadataEntry key="a" value="b"/><WorkoutStatistics \
        type="HKQuantityTypeIdentifierHeartRate" startDate="2024-12-08 16:05:56 +0100" \
        endDate="2024-12-08 16:35:43 +0100" average="1" unit="count/min"/>\
        <WorkoutZone maximum="132"
        """)
    let summary = try store.importing(text)
    #expect(summary.reading.problems.isEmpty)
    #expect(summary.reading.unknownElements == ["WorkoutZoneGroup": 1, "WorkoutZone": 2])
    let workout = try #require(await store.workouts().first)
    #expect(workout.statistics(for: HKQuantityType(.heartRate)) != nil)
    #expect(workout.metadata?["a"] as? String == "b")
  }

  @Test func `A workout above a limit is dropped, and the records inside it are kept`() throws {
    let big = String(
      repeating: "<MetadataEntry key=\"a\" value=\"\(String(repeating: "x", count: 900_000))\"/>",
      count: 90)
    let text = export(
      "<Workout workoutActivityType=\"HKWorkoutActivityTypeRunning\" sourceName=\"W\" "
        + "startDate=\"2024-01-01 00:00:00 +0000\" endDate=\"2024-01-01 01:00:00 +0000\">"
        + record(value: "1") + big + record(value: "2") + "</Workout>" + record(value: "3"))
    let (items, summary) = try read(text)
    #expect(items.records.map(\.value) == ["1", "2", "3"])
    #expect(items.records.map(\.isPart) == [true, true, false])
    #expect(items.workouts.isEmpty && summary.problems == [.itemTooLong: 1])
  }

  @Test(arguments: [false, true])
  func `A score in a workout and in its activity is one sample that rates both`(
    isAtTop: Bool
  ) async throws {
    let effort = record(
      "HKQuantityTypeIdentifierWorkoutEffortScore", value: "7",
      start: "2026-08-20 10:19:00 +0000", extra: #"unit="appleEffortScore""#)
    let text = try Cases.text("activity-with-statistics/export.xml")
      .replacing("</WorkoutActivity>", with: effort + "</WorkoutActivity>")
      .replacing("</Workout>", with: effort + "</Workout>" + (isAtTop ? effort : ""))
    try store.importing(text)
    #expect(try await store.quantities(.workoutEffortScore).count == 1)
    let count = try await efforts().count
    #expect(count > 1)
    #expect(try store.importing(text).added == 0)
    #expect(try await efforts().count == count)
  }
}
