import SampleLog

// Settings of the series that the type of activity summaries would have, so that queries for these
// are notified like those of any other type.

extension StoreReader {
  /// The series that summaries would be rows of.
  var activitySeries: SeriesKey { key(HKObjectType.activitySummaryType().identifier) }
}

extension OpenStore {
  private static let name = "activity"

  /// Changes read a setting before they write it, and a store has one writing process.
  private static let changes = Locked(())

  /// The series that summaries would be rows of, to set something of it.
  private func activitySeries(_ subject: String) -> SeriesKey {
    let type = HKObjectType.activitySummaryType().identifier
    return SeriesKey(
      subject: database.symbols.intern(subject), type: database.symbols.intern(type))
  }

  /// What was set, without the days that were set as a whole.
  ///
  /// - Throws: `errorDatabaseInaccessible` for what a later version may have written.
  func activityIndex(_ series: SeriesKey) throws -> ActivityIndex {
    guard let bytes = database.setting(Self.name, of: series) else {
      return ActivityIndex()
    }
    guard let index = ActivityIndex(bytes) else { throw PersonSettings.unreadable(Self.name) }
    return index
  }

  /// Everything that was set.
  ///
  /// - Throws: `errorDatabaseInaccessible` for what a later version may have written.
  func activitySettings(_ series: SeriesKey) throws -> ActivitySettings {
    let index = try activityIndex(series)
    var settings = index.settings
    for group in index.groups {
      settings.days.merge(try activityDays(group, series).days) { _, new in new }
    }
    return settings
  }

  /// Sets the goals from a day on; nil takes away those that begin then.
  func setActivityGoals(_ goals: ActivityGoals?, from day: CalendarDay?, _ subject: String) throws {
    try changeActivity(activitySeries(subject)) { index in
      index.settings.goals.removeAll { $0.from == day }
      if let goals { index.settings.goals.append((day, goals)) }
      index.settings.goals.sort { ($0.from?.number ?? .min) < ($1.from?.number ?? .min) }
      return []
    }
  }

  /// Sets days as a whole, all of them or none; nil takes one away.
  func setActivityDays(_ days: [CalendarDay: ActivitySummaryValues?], _ subject: String) throws {
    let series = activitySeries(subject)
    try changeActivity(series) { index in
      var settings: [(name: String, value: [UInt8])] = []
      for (group, days) in Dictionary(grouping: days, by: { ActivityDays.group(of: $0.key) }) {
        var known = try activityDays(group, series)
        for (day, values) in days { known.days[day] = values }
        settings.append((Self.name(ofGroup: group), known.bytes))
        if known.days.isEmpty { index.groups.remove(group) } else { index.groups.insert(group) }
      }
      return settings
    }
  }

  private func changeActivity(
    _ series: SeriesKey, _ body: (inout ActivityIndex) throws -> [(name: String, value: [UInt8])]
  ) throws {
    if isClosed { throw StoreError.closed }
    try Self.changes.withLock { _ in
      var index = try activityIndex(series)
      let settings = try body(&index)
      index.settings.revision += 1
      try database.set([(Self.name, index.bytes)] + settings, of: series)
    }
  }

  private func activityDays(_ group: Int, _ series: SeriesKey) throws -> ActivityDays {
    let name = Self.name(ofGroup: group)
    guard let bytes = database.setting(name, of: series) else {
      return ActivityDays()
    }
    guard let days = ActivityDays(bytes) else { throw PersonSettings.unreadable(name) }
    return days
  }

  private static func name(ofGroup group: Int) -> String { "\(name)/\(group)" }
}
