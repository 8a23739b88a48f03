import Foundation
import HealthStore
import SampleLog

/// The activity summary of a day, which is printed like a sample that has no UUID.
struct ActivityDay {
  let subject: String
  let summary: HKActivitySummary
  /// The midnight in UTC at which the day begins, in seconds since 2001.
  let start: Double

  /// The identifier of the type.
  static let type = HKObjectType.activitySummaryType().identifier
  /// The type's name in `--type` and in what is printed.
  static let typeName = HKSampleType.shortName(ofIdentifier: type)

  /// The calendar of all days.
  static let calendar = {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    return calendar
  }()

  /// The summary of a subject's day; nil for one of no day.
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

  /// The name of the quantity that the ring for movement counts.
  private var movementName: String {
    summary.activityMoveMode == .appleMoveTime ? "appleMoveTime" : "activeEnergyBurned"
  }

  /// The quantity that the ring for movement counts; nil where it was not set.
  private var movement: HKQuantity? { quantities[movementName] }

  /// The quantities that were set, each with its unit.
  private var details: JSONObject {
    var details = JSONObject()
    details.add("day", name)
    details.add("moveMode", "\(summary.activityMoveMode)")
    details.add("isPaused", raw: "\(summary.isPaused)")
    for (name, quantity, _) in summary.fields { details.add(ifAny: name, quantity) }
    return details
  }

  /// The members of JSON.
  var object: JSONObject {
    var object = JSONObject()
    object.add("type", Self.typeName)
    object.add(ifAny: "subject", subject)
    object.add("start", UTCText.text(start))
    object.add("end", UTCText.text(start + 86_400))
    if let movement {
      object.add("value", movement.value)
      object.add("unit", movement.unit.unitString)
    }
    object.add(RowEncoder.details, details)
    return object
  }

  /// The fields of CSV of these names.
  func csvFields(_ names: [String]) -> [String] {
    names.map { name in
      switch name {
      case "type": Self.typeName
      case "subject": subject
      case "start": UTCText.text(start)
      case "end": UTCText.text(start + 86_400)
      case "value": movement.map { Figures.number($0.value) } ?? ""
      case "unit": movement?.unit.unitString ?? ""
      case RowEncoder.details: details.text
      default: ""
      }
    }
  }

  /// A line in the columns of samples, with the rings in place of the source.
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
    return "\(UTCText.short(start))  \(UTCText.short(start + 86_400))  \(number) "
      + "\((movement?.unit.unitString ?? "").padded(to: 10))  \(rings.joined(separator: ", "))"
  }
}

/// The activity summaries that a command is about.
struct ActivityDays {
  /// The subjects; nil for everybody.
  var subjects: [String]?
  /// The first moment at which a day may begin; nil for any.
  var from: Date?
  /// The moment before which a day begins; nil for any.
  var to: Date?

  /// The chosen days by subject, in their order.
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

  /// The name of the first day that begins then or later.
  static func firstDay(from date: Date) -> String {
    let days = (date.timeIntervalSinceReferenceDate / 86_400).rounded(.up)
    return UTCText.day(Date(timeIntervalSinceReferenceDate: days * 86_400))
  }
}
