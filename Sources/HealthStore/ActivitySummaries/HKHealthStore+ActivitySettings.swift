public import Foundation

// Our additions: on an iPhone people set goals in the Fitness app, and a Watch writes the days.

extension HKHealthStore {
  /// Sets the goals that days have from one on, until the day from which others are set.
  ///
  /// Our addition. Goals apply to days that were not set as a whole, do not make a day that has no
  /// samples appear, and are durable when this returns. Running queries for activity summaries
  /// deliver what changes by them.
  ///
  /// - Parameters:
  ///   - goals: The goals; `nil` takes away those that were set from this day on.
  ///   - day: Year, month and day, by their calendar or else by the Gregorian; `nil` for the
  ///     beginning of time.
  /// - Throws: ``HKError`` with `errorInvalidArgument` for components that name no day, a goal in a
  ///   unit that measures something else or one that is not finite, with
  ///   `errorDatabaseInaccessible` when the store cannot be written to.
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

  /// Sets what the summaries of days say, instead of what the samples of these days give.
  ///
  /// Our addition, for days that come from elsewhere, such as an export. Everything that a summary
  /// says is kept, all days are set or none, and they are durable when this returns. Running
  /// queries for activity summaries deliver them.
  ///
  /// - Parameter summaries: Summaries by their day: year, month and day, by the components'
  ///   calendar or else by the Gregorian. `nil` lets a day follow from its samples again.
  /// - Throws: ``HKError`` with `errorInvalidArgument` for components that name no day and for
  ///   quantities that are not finite, with `errorDatabaseInaccessible` when the store cannot be
  ///   written to.
  public func setActivitySummaries(
    _ summaries: [DateComponents: HKActivitySummary?]
  ) async throws {
    let days = try Self.activityDays(summaries)
    try await changing { store, subject in
      try store.setActivityDays(days, subject)
    }
  }

  /// Sets what the summaries of days say, on the calling thread and all of them or none.
  ///
  /// - Throws: ``HKError``, as ``setActivitySummaries(_:)``.
  package func importActivitySummaries(_ summaries: [DateComponents: HKActivitySummary]) throws {
    let days = try Self.activityDays(summaries)
    do {
      let store = try location.open()
      try store.confirming {
        try store.setActivityDays(days, subject)
      }
    } catch {
      throw HKError.from(error)
    }
  }

  /// Throws what ``importActivitySummaries(_:)`` throws for one day, so that the caller can leave it
  /// out.
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
