import Foundation
import HealthStore
import SampleLog

/// The table `activity_summaries`, with the rings of each day in kilocalories, minutes and hours.
struct ActivitySummariesTable: ListTable {
  let name = "activity_summaries"
  /// The names of a summary's quantities and of their columns.
  private static let fields = [
    ("activeEnergyBurned", "active_energy_burned"),
    ("activeEnergyBurnedGoal", "active_energy_burned_goal"),
    ("appleMoveTime", "move_time"), ("appleMoveTimeGoal", "move_time_goal"),
    ("appleExerciseTime", "exercise_time"), ("exerciseTimeGoal", "exercise_time_goal"),
    ("appleStandHours", "stand_hours"), ("standHoursGoal", "stand_hours_goal"),
  ]

  let columns =
    [Column("subject", .text), Column("day", .text), Column("start", .real)]
    + fields.map { Column($0.1, .real) }
    + [Column("move_mode", .text), Column("is_paused", .integer)]

  func list(
    _ request: CursorRequest, subjects: Set<String>?, _ store: Store, _ snapshot: Snapshot
  ) throws -> List {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    let known = HKActivitySummary.subjects(in: snapshot, of: store.database).sorted()
    var days: [(subject: String, start: Double, summary: HKActivitySummary)] = []
    for subject in known where subjects?.contains(subject) ?? true {
      let health = HKHealthStore(database: store.database, subject: subject)
      for summary in try health.storedActivitySummaries() {
        let day = summary.dateComponents(for: calendar)
        guard day.year != nil, let date = calendar.date(from: day) else { continue }
        days.append((subject, date.timeIntervalSinceReferenceDate, summary))
      }
    }
    let quantities = days.map { day in
      Dictionary(
        day.summary.fields.map { ($0.name, ($0.quantity, $0.unit)) },
        uniquingKeysWith: { first, _ in first })
    }
    let numbers = Self.fields.map { name, _ in
      Cells.real(
        quantities.map { fields in
          fields[name].flatMap { quantity, unit in quantity?.number(in: Self.shown(unit)) }
        })
    }
    return List(
      columns: [
        .text(days.map(\.subject)),
        .text(days.map { UTCText.day(Date(timeIntervalSinceReferenceDate: $0.start)) }),
        .date(days.map(\.start)),
      ] + numbers + [
        .text(days.map { "\($0.summary.activityMoveMode)" }),
        .integer(days.map { $0.summary.isPaused ? 1 : 0 }),
      ])
  }

  /// Returns the unit in which the table shows quantities of a unit.
  private static func shown(_ unit: HKUnit) -> HKUnit {
    if unit.conversion(to: .kilocalorie()) != nil { return .kilocalorie() }
    return unit.conversion(to: .minute()) != nil ? .minute() : unit
  }
}
