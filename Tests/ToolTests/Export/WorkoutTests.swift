import Foundation
import HealthStore
import Testing

@testable import HealthStoreTool

/// The figures of a workout and of a day's rings in every format.
@Suite struct WorkoutTests {
  private func query(_ path: String, _ type: String, _ format: String) throws -> String {
    try ToolProcess.output("query", "--store", path, "--type", type, "--format", format)
  }

  private func export(_ path: String, _ format: String) throws -> ToolRun {
    let run = try ToolProcess.run(["export", "--store", path, "--format", format])
    #expect(run.status == 0, "\(run.error)")
    return run
  }

  @Test func `SQL has activity, totals, heart rates, parts and statistics of a workout`() throws {
    let folder = try TestFolder()
    let path = try folder.makeStore(ofCase: "workout-out")
    #expect(
      try ToolProcess.ask(
        """
        SELECT value_name, activity, active_seconds, elapsed_seconds, energy_kcal, distance_m,
         average_heart_rate, maximum_heart_rate FROM workout JOIN sample ON uuid = sample
        """, ofExport: path) == [
          "HKWorkoutActivityTypeRunning|running|1710.0|1800.0|420.0|5200.0|150.0|171.0"
        ])
    #expect(
      try ToolProcess.ask(
        "SELECT number, kind, start_date FROM workout_part ORDER BY number", ofExport: path) == [
          "1|pause|2026-03-01T10:10:00.000000Z", "2|resume|2026-03-01T10:11:30.000000Z",
        ])
    #expect(
      try ToolProcess.ask(
        "SELECT type, sum, average, minimum, maximum, unit FROM workout_statistics ORDER BY type",
        ofExport: path) == [
          "activeEnergyBurned|420.0||||kcal", "distanceWalkingRunning|5.2||||km",
          "heartRate||150.0|95.0|171.0|count/min",
        ])
  }

  @Test func `CSV and JSON have the same figures with units, and ingest reads them`() throws {
    let folder = try TestFolder()
    let path = try folder.makeStore(ofCase: "workout-out")
    let object = try #require(
      try ToolRun(status: 0, out: query(path, "workout", "json"), error: "").objects().first)
    #expect(object["valueName"] as? String == "HKWorkoutActivityTypeRunning")
    let details = try #require(object["details"] as? [String: Any])
    func text(_ name: String) -> String {
      let quantity = details[name] as? [String: Any]
      return "\(quantity?["value"] ?? "") \(quantity?["unit"] ?? "")"
    }
    #expect(details["activity"] as? String == "running")
    #expect(
      ["duration", "elapsed", "energy", "distance", "averageHeartRate", "maximumHeartRate"].map(
        text)
        == ["1710 s", "1800 s", "420 kcal", "5.2 km", "150 count/min", "171 count/min"])
    let parts = try #require(details["parts"] as? [[String: Any]])
    #expect(parts.map { $0["kind"] as? String } == ["pause", "resume"])
    for format in ["csv", "jsonl"] {
      let out = try export(path, format).out
      #expect(out.contains("running") && out.contains("HKWorkoutActivityTypeRunning"))
      let copy = folder.store(format)
      let run = try ToolProcess.run(["ingest", "-", "--store", copy], input: out)
      #expect(run.status == 0, "\(run.error)")
      #expect(try export(copy, format).out == out)
    }
    #expect(
      try query(path, "workout", "table").contains(
        "running                Watch  28.5 of 30 min, 420 kcal, 5.2 km, 150 to 171 beats/min"))
  }

  @Test func `Line protocol has the figures as fields, and parts and statistics as points`() throws
  {
    let folder = try TestFolder()
    let path = try folder.makeStore(ofCase: "workout-out")
    let lines = try export(path, "influx").lines
    let workout = try #require(lines.first { $0.hasPrefix("workout,") })
    for field in [
      "duration=1800,", "activeDuration=1710,", "activity=\"running\"", "energy=420,",
      "distance=5200,", "averageHeartRate=150,", "maximumHeartRate=171,",
    ] {
      #expect(workout.contains(field), "\(workout)")
    }
    #expect(lines.count { $0.hasPrefix("workoutPart,kind=") } == 2)
    #expect(lines.count { $0.hasPrefix("workoutStatistics,source=Watch,type=") } == 3)
    #expect(lines.contains { $0.contains("type=heartRate,unit=count/min") })
    let fhir = try #require(try export(path, "fhir").objects().first)
    let components = try #require(fhir["component"] as? [[String: Any]])
    let quantities = components.compactMap { $0["valueQuantity"] as? [String: Any] }
    #expect(quantities.map { $0["code"] as? String } == ["s", "s", "kcal", "km", "/min", "/min"])
  }

  @Test func `Laps, segments and activities are rows of their own workout`() async throws {
    let folder = try TestFolder()
    let path = folder.store()
    let store = try HKHealthStore(directory: URL(fileURLWithPath: path))
    let start = Date(timeIntervalSince1970: 1_706_774_400)
    for offset in [0.0, 60] {
      let begin = start + offset
      let configuration = HKWorkoutConfiguration()
      configuration.activityType = .swimming
      let events = [
        HKWorkoutEvent(
          type: .lap, dateInterval: DateInterval(start: begin + 10, duration: 30), metadata: nil),
        HKWorkoutEvent(
          type: .segment, dateInterval: DateInterval(start: begin + 10, duration: 90),
          metadata: nil),
      ]
      let workout = HKWorkout(
        activityType: .swimBikeRun, start: begin, end: begin + 600, workoutEvents: events,
        totalEnergyBurned: HKQuantity(unit: .kilocalorie(), doubleValue: 100),
        totalDistance: HKQuantity(unit: .mile(), doubleValue: 1), metadata: nil)
      try await store.save(workout)
    }
    try await store.close()
    #expect(
      try ToolProcess.ask(
        "SELECT kind, active_seconds, count(DISTINCT sample) FROM workout_part GROUP BY 1, 2",
        ofExport: path) == ["lap|30.0|2", "segment|90.0|2"])
    #expect(
      try ToolProcess.ask("SELECT DISTINCT round(distance_m, 3) FROM workout", ofExport: path)
        == ["1609.344"])
    let points = try export(path, "influx").lines.filter { $0.contains(",kind=lap") }
    #expect(points.count == 2 && Set(points).count == 2)
    let delete = try ToolProcess.run(["delete", path, "--type", "workout", "--yes"])
    #expect(delete.status == 0)
    #expect(try ToolProcess.ask("SELECT count(*) FROM workout", ofExport: path) == ["2"])
  }

  // MARK: Rings

  private let columns = """
    SELECT day, move_mode, active_energy_kcal, active_energy_goal_kcal, exercise_minutes,
     exercise_goal_minutes, stand_hours, stand_goal_hours FROM activity_summary
    """

  @Test func `A day's rings are in every format and in query`() throws {
    let folder = try TestFolder()
    let path = try folder.makeStore(ofCase: "rings")
    #expect(
      try ToolProcess.ask(columns, ofExport: path)
        == ["2026-05-01|activeEnergy|420.5|600.0|31.0|30.0|12.0|12.0"])
    for format in ["json", "jsonl"] {
      let object = try #require(
        try ToolRun(status: 0, out: query(path, "activitySummary", format), error: "").objects()
          .first)
      #expect(object["type"] as? String == "activitySummary")
      let details = try #require(object["details"] as? [String: Any])
      let goal = try #require(details["activeEnergyBurnedGoal"] as? [String: Any])
      #expect(goal["value"] as? Double == 600 && goal["unit"] as? String == "kcal")
      #expect((details["appleStandHours"] as? [String: Any])?["value"] as? Double == 12)
    }
    #expect(try query(path, "activitySummary", "csv").contains(",420.5,kcal,"))
    #expect(
      try query(path, "activitySummary", "table").contains(
        "move 420.5/600 kcal, exercise 31/30 min, stand 12/12 h"))
    let influx = try export(path, "influx").lines
    #expect(influx.count == 1 && influx[0].hasPrefix("activitySummary isPaused=false,"))
    #expect(influx[0].contains("activeEnergyBurnedGoal=600,"))
    #expect(try export(path, "fhir").error.contains("1 activity summary left out"))
    for format in ["csv", "jsonl"] {
      let first = try export(path, format)
      let copy = folder.store(format)
      let run = try ToolProcess.run(["ingest", "-", "--store", copy], input: first.out)
      #expect(run.out == "0 added, 0 there already, 0 deleted, 1 activity summary set\n")
      #expect(try export(copy, format).out == first.out)
      // Activity summaries are not part of a feed, so each export repeats them.
      let next = try ToolProcess.run([
        "export", "--store", path, "--format", format, "--after", try #require(first.anchor),
      ])
      #expect(next.out.contains("activitySummary"))
    }
  }

  @Test func `Missing values of a day are empty in every format, and units are kept`() async throws
  {
    let folder = try TestFolder()
    let path = folder.store()
    let store = try HKHealthStore(directory: URL(fileURLWithPath: path))
    let (time, energy) = (HKActivitySummary(), HKActivitySummary())
    time.activityMoveMode = .appleMoveTime
    time.isPaused = true
    time.exerciseTimeGoal = HKQuantity(unit: .minute(), doubleValue: 30)
    energy.activeEnergyBurned = HKQuantity(unit: .jouleUnit(with: .kilo), doubleValue: 1761)
    try await store.setActivitySummaries([
      DateComponents(year: 2026, month: 5, day: 1): time,
      DateComponents(year: 2026, month: 5, day: 2): energy,
    ])
    try await store.close()
    #expect(
      try ToolProcess.ask(
        """
        SELECT day, move_mode, is_paused, round(active_energy_kcal, 3), move_minutes,
         exercise_minutes, exercise_goal_minutes FROM activity_summary ORDER BY day
        """, ofExport: path) == [
          "2026-05-01|appleMoveTime|1||||30.0", "2026-05-02|activeEnergy|0|420.889|||",
        ])
    let csv = try query(path, "activitySummary", "csv").split(separator: "\n")
    #expect(csv[1].contains(",2026-05-02T00:00:00Z,,,,") && csv[1].contains("appleMoveTime"))
    #expect(csv[2].contains(",1761,kJ,"))
    let objects = try ToolRun(
      status: 0, out: query(path, "activitySummary", "jsonl"), error: ""
    ).objects()
    #expect(objects.map { $0["value"] as? Double } == [nil, 1761])
    let table = try query(path, "activitySummary", "table")
    #expect(table.contains("move –/– min, exercise –/30 min, stand –/– h, paused"))
    #expect(table.contains("move 1761/– kJ, exercise –/– min, stand –/– h\n"))
    let influx = try export(path, "influx").lines
    #expect(influx[0].contains("isPaused=true,moveMode=\"appleMoveTime\",exerciseTimeGoal=30,"))
    #expect(influx[1].contains("energyUnit=\"kcal\""))
    let plain = try ToolProcess.run([
      "export", "--store", path, "--format", "apple", "--plain", folder.path + "/plain",
    ])
    #expect(plain.status == 0 && "\(plain.out)\(plain.error)".contains("move modes and pauses"))
    let text = try String(contentsOfFile: folder.path + "/plain/export.xml", encoding: .utf8)
    #expect(
      text.contains(
        """
        "2026-05-01" appleExerciseTimeGoal="30" activeEnergyBurnedUnit="kcal"/>
        """))
    #expect(
      text.contains(
        """
        "2026-05-02" activeEnergyBurned="1761" activeEnergyBurnedUnit="kJ"/>
        """))
  }

  @Test func `Days are selected by subject and date, and deleted ones leave SQL`() async throws {
    let folder = try TestFolder()
    let path = try folder.makeStore(
      elements: """
         <ActivitySummary dateComponents="2026-05-01" activeEnergyBurned="1" \
        activeEnergyBurnedUnit="kcal" appleExerciseTime="5"/>
         <ActivitySummary dateComponents="2026-05-02" activeEnergyBurned="2" \
        activeEnergyBurnedUnit="kcal"/>
        """, subject: "ada")
    let all = ["export", "--store", path, "--format", "jsonl"]
    #expect(try ToolProcess.run(all).out.isEmpty)
    #expect(try ToolProcess.run(all + ["--all-subjects"]).lines.count == 2)
    #expect(
      try ToolProcess.run(all + ["--subject", "ada", "--from", "2026-05-02"]).lines.count == 1)
    #expect(try ToolProcess.run(all + ["--subject", "ada", "--type", "stepCount"]).out.isEmpty)
    let query = ["query", "--store", path, "--subject", "ada", "--type", "activitySummary"]
    #expect(
      try ToolProcess.run(query + ["--latest", "--limit", "1", "--format", "jsonl"])
        .out.contains("2026-05-02"))
    #expect(try ToolProcess.run(query + ["--where", "value > 1"]).status == 2)
    // Values that were not set are null, not zero.
    #expect(
      try ToolProcess.ask(
        "SELECT day, exercise_minutes, stand_goal_hours FROM activity_summary ORDER BY day",
        ofExport: path) == ["2026-05-01|5.0|", "2026-05-02||"])
    let database = try HealthDatabase(directory: URL(fileURLWithPath: path))
    let store = database.store(subject: "ada")
    try await store.setActivitySummaries([DateComponents(year: 2026, month: 5, day: 1): nil])
    try database.close()
    #expect(
      try ToolProcess.ask("SELECT day FROM activity_summary", ofExport: path) == ["2026-05-02"])
    #expect(try ToolProcess.run(["erase", path, "--subject", "ada", "--yes"]).status == 0)
    #expect(try ToolProcess.ask("SELECT count(*) FROM activity_summary", ofExport: path) == ["0"])
  }
}
