import Foundation
import SampleLog

/// The activity summaries that a condition admits.
///
/// Updates recompute only the days that changes touch.
struct LiveActivitySummaries: Sendable {
  private let condition: SampleCondition
  private let reader: ActivitySummaryReader
  /// The numbers of the days that the condition may admit, or nil for all.
  private let covered: ClosedRange<Int>?
  private var rules: Rules
  private var days: [CalendarDay: ActivitySummaryValues] = [:]
  /// The end of the snapshot from which the summaries were computed.
  private var end: UInt64

  /// The inputs of summaries other than samples.
  private struct Rules: Sendable {
    var priorities: ActivitySummaryReader.Priorities
    var settings: ActivitySettings
    var moveMode: HKActivityMoveMode

    init(_ store: StoreReader, _ reader: ActivitySummaryReader) throws {
      priorities = try reader.priorities()
      settings = try store.store.activitySettings(store.activitySeries)
      moveMode = try Self.moveMode(store)
    }

    static func moveMode(_ store: StoreReader) throws -> HKActivityMoveMode {
      let subject = store.store.database.symbols.text(store.subject)
      let name = HKCharacteristicTypeIdentifier.activityMoveMode.rawValue
      let number = try PersonSettings(store.store, subject: subject).number(name)
      guard let mode = number.map(HKActivityMoveMode.init(rawValue:)) else { return .activeEnergy }
      guard let mode else { throw PersonSettings.unreadable(name) }
      return mode
    }

    /// Returns whether these inputs equal the current ones of a store.
    func isCurrent(_ store: StoreReader, _ reader: ActivitySummaryReader) throws -> Bool {
      try settings.revision == store.store.activityIndex(store.activitySeries).settings.revision
        && priorities == reader.priorities() && moveMode == Self.moveMode(store)
    }
  }

  /// Computes all summaries that a condition admits.
  init(_ condition: SampleCondition, calendar: Calendar, _ store: StoreReader) throws {
    if store.store.isClosed { throw StoreError.closed }
    let isVisible = try store.access?.admitsActivitySummaries() ?? true
    self.condition = isVisible ? condition : .never
    reader = try ActivitySummaryReader(store, calendar: calendar)
    covered = reader.range(self.condition)
    // Read the rules before the snapshot, so that a setting changed in between is noticed as a
    // change.
    rules = try Rules(store, reader)
    let snapshot = store.store.database.snapshot()
    end = snapshot.end
    days = try all(snapshot)
  }

  /// Returns the series to observe.
  static func selection(_ store: StoreReader) throws -> SeriesSelection {
    // The series do not depend on the calendar, so any calendar will do.
    try ActivitySummaryReader(store, calendar: Calendar(identifier: .gregorian)).selection
  }

  /// The current summaries, in the order of their days.
  var summaries: [HKActivitySummary] {
    days.values.sorted { ($0.day?.number ?? 0) < ($1.day?.number ?? 0) }
      .map { HKActivitySummary($0) }
  }

  /// Reads a feed's changes and recomputes the days that they touch, or all days if goals, days or
  /// the source order were set.
  ///
  /// - Returns: The changed summaries in the order of their days, or nil if the feed has no
  ///   changes. A day that has lost its samples has an empty summary.
  mutating func update(from feed: ChangeFeed) throws -> [HKActivitySummary]? {
    var touched = TouchedIntervals(
      reader.grid, haveSeries: reader.mayHaveSeries(in: reader.store.store.database.snapshot()))
    guard let snapshot = try touched.read(feed, after: end) else { return nil }
    defer { end = snapshot.end }
    guard try rules.isCurrent(reader.store, reader) else {
      rules = try Rules(reader.store, reader)
      let before = days
      days = try all(snapshot)
      return Set(before.keys).union(days.keys).filter { before[$0] != days[$0] }.sorted()
        .map { HKActivitySummary(days[$0] ?? ActivitySummaryValues(day: $0)) }
    }
    var changed: [HKActivitySummary] = []
    for range in touched.ranges {
      let covered = covered ?? range
      guard range.overlaps(covered) else { continue }
      let part = range.clamped(to: covered)
      let amounts = try reader.amounts(part, of: snapshot, rules.priorities)
      for number in reader.day(part.lowerBound).number...reader.day(part.upperBound).number {
        let day = CalendarDay(number: number)
        let new = try summary(of: day, amounts[day])
        if days[day] == new { continue }
        days[day] = new
        changed.append(HKActivitySummary(new ?? ActivitySummaryValues(day: day)))
      }
    }
    return changed
  }

  private func all(_ snapshot: Snapshot) throws -> [CalendarDay: ActivitySummaryValues] {
    let amounts = try reader.amounts(covered, of: snapshot, rules.priorities)
    var days: [CalendarDay: ActivitySummaryValues] = [:]
    for day in Set(amounts.keys).union(rules.settings.days.keys) {
      days[day] = try summary(of: day, amounts[day])
    }
    return days
  }

  /// Returns the summary of a day, computed from its amounts, or nil if there is none or the
  /// condition does not admit it.
  private func summary(
    of day: CalendarDay, _ amounts: ActivitySummaryValues?
  ) throws -> ActivitySummaryValues? {
    var computed = amounts
    computed?.moveMode = rules.moveMode
    if let goals = rules.settings.goals(on: day) { computed?.apply(goals) }
    guard let values = rules.settings.days[day] ?? computed,
      try condition.matches(HKActivitySummary(values))
    else { return nil }
    return values
  }
}
