import Foundation
import SampleLog

/// The activity summaries that a condition admits, which follow changes by computing the days that
/// they touch.
struct LiveActivitySummaries: Sendable {
  private let condition: SampleCondition
  private let reader: ActivitySummaryReader
  /// The numbers of the days that the condition may admit; nil for all.
  private let covered: ClosedRange<Int>?
  private var rules: Rules
  private var days: [CalendarDay: ActivitySummaryValues] = [:]
  /// The end of the snapshot that the summaries are of.
  private var end: UInt64

  /// What decides about summaries beside samples.
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

    /// Whether they are still those that a store has.
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
    // Before the snapshot: what is set in between is noticed as a change.
    rules = try Rules(store, reader)
    let snapshot = store.store.database.snapshot()
    end = snapshot.end
    days = try all(snapshot)
  }

  /// The series to follow.
  static func selection(_ store: StoreReader) throws -> SeriesSelection {
    // Which series they are does not depend on the calendar.
    try ActivitySummaryReader(store, calendar: Calendar(identifier: .gregorian)).selection
  }

  /// The summaries as they are now, in the order of their days.
  var summaries: [HKActivitySummary] {
    days.values.sorted { ($0.day?.number ?? 0) < ($1.day?.number ?? 0) }
      .map { HKActivitySummary($0) }
  }

  /// Reads what a feed has, computes the days that it touches, and all of them where goals, days or
  /// the order of the sources were set.
  ///
  /// - Returns: The summaries that are not as before, in the order of their days; nil when the feed
  ///   has nothing. A day that has lost its samples has a summary of nothing.
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

  /// The summary of a day, from what was done on it; nil where there is none or the condition does
  /// not admit it.
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
