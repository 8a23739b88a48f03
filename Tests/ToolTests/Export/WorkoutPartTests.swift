import Foundation
import HealthStore
import Testing

@testable import HealthStoreTool

/// The parts of workouts in exports: their active duration and effort ratings.
@Suite struct WorkoutPartTests {
  private static let workout = """
     <Workout workoutActivityType="HKWorkoutActivityTypeSwimBikeRun" duration="55" \
    durationUnit="min" totalDistance="10" totalDistanceUnit="mi" totalEnergyBurned="2000" \
    totalEnergyBurnedUnit="kJ" sourceName="W" startDate="2026-03-01 10:00:00 +0000" \
    endDate="2026-03-01 11:00:00 +0000">
      <WorkoutEvent type="HKWorkoutEventTypeLap" date="2026-03-01 10:05:00 +0000" duration="15" \
    durationUnit="min"/>
      <WorkoutEvent type="HKWorkoutEventTypeSegment" date="2026-03-01 10:12:00 +0000" \
    duration="2" durationUnit="min"/>
      <WorkoutEvent type="HKWorkoutEventTypePause" date="2026-03-01 10:10:00 +0000"/>
      <WorkoutEvent type="HKWorkoutEventTypeResume" date="2026-03-01 10:15:00 +0000"/>
      <WorkoutStatistics type="HKQuantityTypeIdentifierFlightsClimbed" sum="12" unit="count" \
    startDate="2026-03-01 10:00:00 +0000" endDate="2026-03-01 11:00:00 +0000"/>
      <Record type="HKQuantityTypeIdentifierWorkoutEffortScore" sourceName="W" \
    unit="appleEffortScore" startDate="2026-03-01 10:00:00 +0000" \
    endDate="2026-03-01 11:00:00 +0000" value="7"/>
     </Workout>
    """

  private func export(_ path: String, _ format: String) throws -> ToolRun {
    try ToolProcess.run(["export", "--store", path, "--type", "workout", "--format", format])
  }

  @Test func `A part that overlaps a pause is active for the rest of its time`() throws {
    let folder = try TestFolder()
    let path = try folder.makeStore(elements: Self.workout)
    #expect(
      try ToolProcess.ask(
        "SELECT kind, active_seconds FROM workout_part WHERE kind IN ('lap', 'segment')",
        ofExport: path) == ["lap|600.0", "segment|0.0"])
    let lap = try #require(try export(path, "influx").lines.first { $0.contains("kind=lap") })
    #expect(lap.contains("activeDuration=600,duration=900,"))
    #expect(try export(path, "jsonl").out.contains(#"duration":{"value":600,"unit":"s"}"#))
  }

  @Test(arguments: [true, false])
  func `An activity that spans a workout is a part if it has statistics of its own`(
    isOwn: Bool
  ) throws {
    let dates = #"startDate="2026-03-01 10:00:00 +0000" endDate="2026-03-01 11:00:00 +0000""#
    let statistics = """
      <WorkoutStatistics type="HKQuantityTypeIdentifierDistanceCycling" sum="4" unit="km" \(dates)/>
      """
    let folder = try TestFolder()
    let path = try folder.makeStore(
      elements: """
        <Workout workoutActivityType="HKWorkoutActivityTypeCycling" duration="60" \
        durationUnit="min" sourceName="W" \(dates)>\(isOwn ? "" : statistics)
        <WorkoutActivity uuid="\(UUID())" \(dates) duration="60" durationUnit="min">
        \(statistics)</WorkoutActivity>
        </Workout>
        """)
    let run = try export(path, "jsonl")
    #expect(run.out.contains(#""kind":"activity""#) == isOwn)
    #expect(run.out.contains(#""distanceCycling""#))
  }

  @Test func `The score that rates a workout is among its members`() throws {
    let folder = try TestFolder()
    let path = try folder.makeStore(elements: Self.workout)
    #expect(
      try ToolProcess.ask(
        """
        SELECT score.type, score.value FROM workout JOIN member USING (sample)
         JOIN sample AS score ON score.uuid = member.member
        """, ofExport: path) == ["workoutEffortScore|7.0"])
  }

  @Test func `Figures of a workout have units in line protocol and FHIR`() throws {
    let folder = try TestFolder()
    let path = try folder.makeStore(elements: Self.workout)
    let line = try #require(try export(path, "influx").lines.first { $0.hasPrefix("workout,") })
    #expect(line.contains("distance=16093.44,distanceUnit=\"m\","))
    #expect(line.contains("energyUnit=\"kcal\",flights=12,"))
    let components = try #require(
      try export(path, "fhir").objects().first?["component"] as? [[String: Any]])
    let quantities = components.compactMap { $0["valueQuantity"] as? [String: Any] }
    #expect(quantities.map { $0["code"] as? String } == ["s", "s", "kJ", "[mi_i]", "{count}"])
  }
}
