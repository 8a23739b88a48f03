import SampleLog

// The settings are stored under the series of activity summaries, which has no rows, so that
// observers of the series are notified of changes.

extension StoreReader {
  /// The series of activity summaries, which has settings but no rows.
  var activitySeries: SeriesKey { key(HKObjectType.activitySummaryType().identifier) }
}

extension OpenStore {
  private static let name = "activity"

  /// Serialises the read-modify-write of settings.
  ///
  /// One process at a time writes to a store.
  private static let changes = Locked(())

  /// Returns the series of activity summaries, and interns its symbols.
  private func activitySeries(_ subject: String) -> SeriesKey {
    let type = HKObjectType.activitySummaryType().identifier
    return SeriesKey(
      subject: database.symbols.intern(subject), type: database.symbols.intern(type))
  }

  /// Returns the activity settings without the explicitly set days.
  ///
  /// - Throws: `errorDatabaseInaccessible` if the settings are malformed, such as those of a later
  ///   version.
  func activityIndex(_ series: SeriesKey) throws -> ActivityIndex {
    guard let bytes = try database.setting(Self.name, of: series) else {
      return ActivityIndex()
    }
    guard let index = ActivityIndex(bytes) else { throw SubjectSettings.unreadable(Self.name) }
    return index
  }

  /// Returns all activity settings.
  ///
  /// - Throws: `errorDatabaseInaccessible` if the settings are malformed, such as those of a later
  ///   version.
  func activitySettings(_ series: SeriesKey) throws -> ActivitySettings {
    let index = try activityIndex(series)
    var settings = index.settings
    for group in index.groups {
      settings.days.merge(try activityDays(group, series).days) { _, new in new }
    }
    return settings
  }

  /// Sets the goals that start on a day, or removes them if nil.
  func setActivityGoals(_ goals: ActivityGoals?, from day: CalendarDay?, _ subject: String) throws {
    try changeActivity(activitySeries(subject)) { index in
      index.settings.goals.removeAll { $0.from == day }
      if let goals { index.settings.goals.append((day, goals)) }
      index.settings.goals.sort { ($0.from?.number ?? .min) < ($1.from?.number ?? .min) }
      return []
    }
  }

  /// Sets days explicitly and atomically; nil reverts a day.
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
    guard let bytes = try database.setting(name, of: series) else {
      return ActivityDays()
    }
    guard let days = ActivityDays(bytes) else { throw SubjectSettings.unreadable(name) }
    return days
  }

  private static func name(ofGroup group: Int) -> String { "\(name)/\(group)" }
}
