import Foundation
import HealthStore

// The schema and the rows of an SQL export.
extension SQLText {
  /// The start of the transaction and the schema, with which every export begins.
  ///
  /// Columns for quantities of different units have one fixed unit, which is part of their name.
  static let schema = """
    BEGIN;
    CREATE TABLE IF NOT EXISTS sample (uuid TEXT PRIMARY KEY, subject TEXT NOT NULL,
     type TEXT NOT NULL, start_date TIMESTAMP WITH TIME ZONE NOT NULL,
     end_date TIMESTAMP WITH TIME ZONE NOT NULL, value DOUBLE PRECISION, value_name TEXT,
     unit TEXT, source TEXT, bundle_identifier TEXT, version TEXT, product_type TEXT,
     operating_system TEXT, device TEXT, metadata TEXT, details TEXT);
    CREATE INDEX IF NOT EXISTS sample_by_time ON sample (subject, type, start_date);
    CREATE TABLE IF NOT EXISTS member (sample TEXT NOT NULL, member TEXT NOT NULL,
     PRIMARY KEY (sample, member));
    CREATE TABLE IF NOT EXISTS point (sample TEXT NOT NULL, number INTEGER NOT NULL,
     start_date TIMESTAMP WITH TIME ZONE NOT NULL, end_date TIMESTAMP WITH TIME ZONE NOT NULL,
     value DOUBLE PRECISION, latitude DOUBLE PRECISION, longitude DOUBLE PRECISION,
     altitude DOUBLE PRECISION, horizontal_accuracy DOUBLE PRECISION,
     vertical_accuracy DOUBLE PRECISION, course DOUBLE PRECISION, speed DOUBLE PRECISION,
     unit TEXT, PRIMARY KEY (sample, number));
    CREATE TABLE IF NOT EXISTS workout (sample TEXT PRIMARY KEY, activity TEXT NOT NULL,
     active_seconds DOUBLE PRECISION, elapsed_seconds DOUBLE PRECISION,
     energy_kcal DOUBLE PRECISION, distance_m DOUBLE PRECISION,
     average_heart_rate DOUBLE PRECISION, maximum_heart_rate DOUBLE PRECISION,
     flights DOUBLE PRECISION, strokes DOUBLE PRECISION);
    CREATE TABLE IF NOT EXISTS workout_part (sample TEXT NOT NULL, number INTEGER NOT NULL,
     kind TEXT NOT NULL, activity TEXT, start_date TIMESTAMP WITH TIME ZONE NOT NULL,
     end_date TIMESTAMP WITH TIME ZONE NOT NULL, active_seconds DOUBLE PRECISION,
     PRIMARY KEY (sample, number));
    CREATE TABLE IF NOT EXISTS workout_statistics (sample TEXT NOT NULL,
     part INTEGER NOT NULL, type TEXT NOT NULL, sum DOUBLE PRECISION,
     average DOUBLE PRECISION, minimum DOUBLE PRECISION, maximum DOUBLE PRECISION,
     unit TEXT, PRIMARY KEY (sample, part, type));
    CREATE TABLE IF NOT EXISTS activity_summary (subject TEXT NOT NULL, day DATE NOT NULL,
     move_mode TEXT NOT NULL, is_paused INTEGER NOT NULL,
     active_energy_kcal DOUBLE PRECISION, active_energy_goal_kcal DOUBLE PRECISION,
     move_minutes DOUBLE PRECISION, move_goal_minutes DOUBLE PRECISION,
     exercise_minutes DOUBLE PRECISION, exercise_goal_minutes DOUBLE PRECISION,
     stand_hours DOUBLE PRECISION, stand_goal_hours DOUBLE PRECISION,
     PRIMARY KEY (subject, day));

    """

  /// The tables with the details of workouts.
  static let workoutTables = ["workout", "workout_part", "workout_statistics"]

  /// Returns the rows of a workout in ``workoutTables``.
  static func rows(
    of workout: WorkoutFigures, _ uuid: String
  ) -> [(table: String, values: String)] {
    let rate = HKUnit(from: "count/min")
    let columns = [
      text(workout.activity), number(workout.activeSeconds), number(workout.elapsedSeconds),
      number(workout.energy, .kilocalorie()), number(workout.distance, .meter()),
      number(workout.averageHeartRate, rate), number(workout.maximumHeartRate, rate),
      number(workout.flights, .count()), number(workout.strokes, .count()),
    ]
    var rows = [("workout", "('\(uuid)',\(columns.joined(separator: ",")))")]
    func add(_ statistics: [HKStatistics], part: Int) {
      for one in statistics {
        // The statistics of one type share a unit.
        let unit = one.named.lazy.compactMap { $0.quantity?.unit.unitString }.first ?? ""
        let values = one.named.map { number($0.quantity?.value) }.joined(separator: ",")
        rows.append(
          (
            "workout_statistics",
            "('\(uuid)',\(part),\(text(one.quantityType.shortName)),\(values),\(optional(unit)))"
          ))
      }
    }
    add(workout.statistics, part: 0)
    for (index, part) in workout.parts.enumerated() {
      let columns = [
        text(part.kind), optional(part.activity),
        date(part.start.timeIntervalSinceReferenceDate),
        date(part.end.timeIntervalSinceReferenceDate), number(part.activeSeconds),
      ]
      rows.append(
        ("workout_part", "('\(uuid)',\(index + 1),\(columns.joined(separator: ",")))"))
      add(part.statistics, part: index + 1)
    }
    return rows
  }

  /// Returns the row of an activity summary.
  static func row(of day: ActivityDay) -> String {
    let summary = day.summary
    let columns =
      [
        text(day.subject), text(day.name), text("\(summary.activityMoveMode)"),
        summary.isPaused ? "1" : "0",
      ] + summary.fields.map { number($0.quantity, $0.unit) }
    return "(\(columns.joined(separator: ",")))"
  }

  /// Returns the WHERE clause of the selected days, or an empty string if all are selected.
  static func condition(_ choice: ActivityDays) -> String {
    var parts: [String] = []
    if let subjects = choice.subjects {
      parts.append("subject IN (\(subjects.map(text).joined(separator: ",")))")
    }
    if let from = choice.from { parts.append("day >= '\(ActivityDays.firstDay(from: from))'") }
    if let to = choice.to { parts.append("day < '\(ActivityDays.firstDay(from: to))'") }
    return parts.isEmpty ? "" : " WHERE " + parts.joined(separator: " AND ")
  }
}
