import Foundation
import HealthStore
import SampleLog

/// The activity summary of a day, printed like a sample without a UUID.
struct ActivityDay {
  let subject: String
  let summary: HKActivitySummary
  /// The start of the day at 00:00 UTC, in seconds since 2001-01-01 00:00 UTC.
  let start: Double

  static let type = HKObjectType.activitySummaryType().identifier
  /// The name of the type in `--type` and in the output.
  static let typeName = HKSampleType.shortName(ofIdentifier: type)

  /// The end of the day, in seconds since 2001-01-01 00:00 UTC.
  var end: Double { start + 86_400 }

  /// The Gregorian calendar in UTC, which delimits all days.
  static let calendar = {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    return calendar
  }()

  /// Creates the day of a subject's summary, or nil if the summary has no valid date.
  init?(_ summary: HKActivitySummary, of subject: String) {
    let day = summary.dateComponents(for: Self.calendar)
    guard day.year != nil, let date = Self.calendar.date(from: day) else { return nil }
    self.subject = subject
    self.summary = summary
    start = date.timeIntervalSinceReferenceDate
  }

  /// The day, such as `2026-05-01`.
  var name: String { UTCText.day(Date(timeIntervalSinceReferenceDate: start)) }

  /// The quantities that were set or computed, by name.
  private var quantities: [String: HKQuantity] {
    summary.fields.reduce(into: [:]) { $0[$1.name] = $1.quantity }
  }

  /// The name of the quantity of the Move ring.
  private var movementName: String {
    summary.activityMoveMode == .appleMoveTime ? "appleMoveTime" : "activeEnergyBurned"
  }

  /// The quantity of the Move ring, or nil if it was not set.
  var movement: HKQuantity? { quantities[movementName] }

  /// The day, the move mode and the quantities that were set, each with its unit.
  var details: JSONObject {
    var details = JSONObject()
    details.add("day", name)
    details.add("moveMode", "\(summary.activityMoveMode)")
    details.add("isPaused", raw: "\(summary.isPaused)")
    for (name, quantity, _) in summary.fields { details.add(ifAny: name, quantity) }
    return details
  }

  var object: JSONObject {
    var object = JSONObject()
    object.add("type", Self.typeName)
    object.add(ifAny: "subject", subject)
    object.add("start", UTCText.text(start))
    object.add("end", UTCText.text(end))
    if let movement {
      object.add("value", movement.value)
      object.add("unit", movement.unit.unitString)
    }
    object.add(RowEncoder.details, details)
    return object
  }

  /// Returns the CSV cells of the named fields.
  func csvFields(_ names: [String]) -> [String] {
    names.map { name in
      switch name {
      case "type": Self.typeName
      case "subject": subject
      case "start": UTCText.text(start)
      case "end": UTCText.text(end)
      case "value": movement.map { Figures.number($0.value) } ?? ""
      case "unit": movement?.unit.unitString ?? ""
      case RowEncoder.details: details.text
      default: ""
      }
    }
  }

  /// The line in a table of samples, with the rings in place of the source.
  var tableLine: String {
    let quantities = quantities
    func ring(_ title: String, _ name: String, _ goal: String, _ unit: HKUnit?) -> String {
      let (done, goal) = (quantities[name], quantities[goal])
      let shown = unit ?? done?.unit ?? goal?.unit ?? .kilocalorie()
      let numbers = [done, goal].map { $0?.number(in: shown).map(Figures.short) ?? "–" }
      return "\(title) \(numbers.joined(separator: "/")) "
        + (shown == .count() ? "h" : shown.unitString)
    }
    let isTime = summary.activityMoveMode == .appleMoveTime
    var rings = [
      ring("move", movementName, movementName + "Goal", isTime ? .minute() : nil),
      ring("exercise", "appleExerciseTime", "exerciseTimeGoal", .minute()),
      ring("stand", "appleStandHours", "standHoursGoal", .count()),
    ]
    if summary.isPaused { rings.append("paused") }
    let number = (movement.map { Figures.short($0.value) } ?? "–").paddedLeft(to: 10)
    return "\(UTCText.short(start))  \(UTCText.short(end))  \(number) "
      + "\((movement?.unit.unitString ?? "").padded(to: 10))  \(rings.joined(separator: ", "))"
  }
}

/// A selection of activity summaries.
struct ActivityDays {
  /// The selected subjects, or nil for every subject.
  var subjects: [String]?
  /// The time at or after which a day begins, or nil for no limit.
  var from: Date?
  /// The time before which a day begins, or nil for no limit.
  var to: Date?

  /// Returns the selected days by subject, in chronological order.
  func read(_ database: Database, _ snapshot: Snapshot) throws -> [ActivityDay] {
    let names = subjects ?? HKActivitySummary.subjects(in: snapshot, of: database)
    return try names.flatMap { subject in
      try HKHealthStore(database: database, subject: subject).storedActivitySummaries()
        .compactMap { ActivityDay($0, of: subject) }
        .filter { day in
          let start = Date(timeIntervalSinceReferenceDate: day.start)
          return from.map { start >= $0 } ?? true && to.map { start < $0 } ?? true
        }
    }
  }

  /// Returns the name of the first day that begins at or after a date.
  static func firstDay(from date: Date) -> String {
    let days = (date.timeIntervalSinceReferenceDate / 86_400).rounded(.up)
    return UTCText.day(Date(timeIntervalSinceReferenceDate: days * 86_400))
  }
}
