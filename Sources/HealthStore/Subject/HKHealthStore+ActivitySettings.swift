public import Foundation

// Additions to HealthKit: on an iPhone, users set goals in the Fitness app, and a Watch writes the
// days.

extension HKHealthStore {
  /// Sets the goals from a day until the next day for which goals are set.
  ///
  /// This is an addition to HealthKit. Goals do not apply to days that were set explicitly, and do
  /// not create summaries for days without samples. They are durable when this returns. Running
  /// activity summary queries deliver the affected summaries.
  ///
  /// - Parameters:
  ///   - goals: The goals, or `nil` to remove those that start on this day.
  ///   - day: The year, month and day, in the calendar of the components or else the Gregorian
  ///     calendar, or `nil` for the beginning of time.
  /// - Throws: ``HKError`` with `errorInvalidArgument` if the components are not a valid day, or
  ///   if a goal has an incompatible unit or is not finite, or with `errorDatabaseInaccessible` if
  ///   the store cannot be written to.
  public func setActivityGoals(
    _ goals: ActivityGoals?, from day: DateComponents? = nil
  ) async throws {
    for (field, path) in ActivityGoals.fields {
      if let quantity = goals?[keyPath: path] { try Self.check(quantity, field) }
    }
    let day = try day.map { try Self.activityDay($0) }
    try await changing { store, subject in
      try store.setActivityGoals(goals, from: day, subject)
    }
  }

  /// Sets the summaries of days explicitly, in place of those computed from samples.
  ///
  /// This is an addition for days from another system, such as an export. All fields of a summary
  /// are stored. The change is atomic, and durable when this returns. Running activity summary
  /// queries deliver it.
  ///
  /// - Parameter summaries: The summaries by day: year, month and day, in the calendar of the
  ///   components or else the Gregorian calendar. `nil` reverts a day to the summary computed from
  ///   its samples.
  /// - Throws: ``HKError`` with `errorInvalidArgument` if components are not a valid day or a
  ///   quantity is not finite, or with `errorDatabaseInaccessible` if the store cannot be written
  ///   to.
  public func setActivitySummaries(
    _ summaries: [DateComponents: HKActivitySummary?]
  ) async throws {
    let days = try Self.activityDays(summaries)
    try await changing { store, subject in
      try store.setActivityDays(days, subject)
    }
  }

  /// Sets the summaries of days explicitly and atomically, on the calling thread.
  ///
  /// - Throws: ``HKError``, as ``setActivitySummaries(_:)`` does.
  package func importActivitySummaries(_ summaries: [DateComponents: HKActivitySummary]) throws {
    let days = try Self.activityDays(summaries)
    do {
      let store = try location.open()
      try store.checkSaving()
      try store.setActivityDays(days, subject)
      try store.confirm()
    } catch {
      throw HKError.from(error)
    }
  }

  /// Throws the errors of ``importActivitySummaries(_:)`` for one day, so that the caller can skip
  /// it.
  package static func checkActivitySummary(
    _ summary: HKActivitySummary, of day: DateComponents
  ) throws {
    _ = try activityDays([day: summary])
  }

  private static func activityDays(
    _ summaries: [DateComponents: HKActivitySummary?]
  ) throws -> [CalendarDay: ActivitySummaryValues?] {
    var days: [CalendarDay: ActivitySummaryValues?] = [:]
    for (components, summary) in summaries {
      let day = try activityDay(components)
      let values = summary?.values(of: day)
      for field in ActivitySummaryValues.Field.allCases {
        if let quantity = values?[field] { try check(quantity, field) }
      }
      days.updateValue(values, forKey: day)
    }
    return days
  }

  private static func check(
    _ quantity: HKQuantity, _ field: ActivitySummaryValues.Field
  ) throws {
    if !quantity.is(compatibleWith: field.unit) {
      throw HKError.make(
        .errorInvalidArgument,
        "\(field.rawValue) cannot be in \(quantity.unit.unitString); use a unit that is compatible "
          + "with \(field.unit.unitString).")
    }
    if !quantity.value.isFinite {
      throw HKError.make(.errorInvalidArgument, "\(field.rawValue) must be a finite number.")
    }
  }

  private static func activityDay(_ components: DateComponents) throws -> CalendarDay {
    guard let day = CalendarDay(components, in: Calendar(identifier: .gregorian)) else {
      throw HKError.make(
        .errorInvalidArgument, "An activity summary needs a year, month and day that there are.")
    }
    return day
  }
}
