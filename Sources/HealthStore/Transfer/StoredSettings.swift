import Foundation
import SampleLog

/// A stored setting of a subject: a characteristic, unit, goal, explicitly set day or source
/// order.
package struct StoredSetting: Hashable, Sendable {
  /// The type to which the setting belongs, or nil if it belongs to the subject as a whole.
  package var type: String?
  package var name: String
  package var value: [UInt8]

  package init(type: String?, name: String, value: [UInt8]) {
    self.type = type
    self.name = name
    self.value = value
  }

  /// Whether the setting has a format of this library, and is therefore part of the subject's
  /// data.
  package var isKnown: Bool {
    guard let type else {
      return value.first == 1
        && (name.hasPrefix("unit/") || name.hasPrefix("HKCharacteristicTypeIdentifier"))
    }
    if name == "sourceOrder" { return value.first == 1 && !type.isEmpty }
    guard type == HKObjectType.activitySummaryType().identifier else { return false }
    if name == "activity" { return ActivityIndex(value) != nil }
    return name.hasPrefix("activity/") && ActivityDays(value) != nil
  }
}

extension HKHealthStore {
  private func prefix(_ setting: SubjectSetting) -> [UInt8] {
    setting.prefix(Array(subject.utf8))
  }

  /// Returns the subject's settings, ordered by type and name.
  ///
  /// - Throws: The errors of opening the store.
  package func storedSettings() throws -> [StoredSetting] {
    let database = try location.open().database
    let (profile, types) = (prefix(.profile), prefix(.series))
    let own = database.settings(beginningWith: profile).map { key, value in
      StoredSetting(
        type: nil, name: String(decoding: key.dropFirst(profile.count), as: UTF8.self),
        value: value)
    }
    let others = database.settings(beginningWith: types).compactMap { key, value in
      key.withUnsafeBytes { bytes -> StoredSetting? in
        var reader = ByteReader(UnsafeRawBufferPointer(rebasing: bytes.dropFirst(types.count)))
        guard let type = reader.text(), let name = reader.slice(reader.remaining) else {
          return nil
        }
        return StoredSetting(
          type: type, name: String(decoding: name, as: UTF8.self), value: value)
      }
    }
    return (own + others).filter(\.isKnown).sorted {
      ($0.type ?? "", $0.name) < ($1.type ?? "", $1.name)
    }
  }

  /// Sets a subject's settings from another store.
  ///
  /// - Throws: The errors of opening the store and of commits.
  package func importSettings(_ settings: [StoredSetting]) throws {
    let store = try location.open()
    try store.checkSaving()
    try set(settings, in: store.database)
    try store.confirm()
  }

  private func set(_ settings: [StoredSetting], in database: Database) throws {
    let profile = prefix(.profile)
    var series: [String: [(name: String, value: [UInt8])]] = [:]
    try database.set(
      settings.filter { $0.type == nil }.map { (profile + Array($0.name.utf8), $0.value) })
    for setting in settings {
      if let type = setting.type { series[type, default: []].append((setting.name, setting.value)) }
    }
    for (type, values) in series.sorted(by: { $0.key < $1.key }) {
      let key = SeriesKey(
        subject: database.symbols.intern(subject), type: database.symbols.intern(type))
      try database.set(values, of: key)
    }
  }
}

extension HKHealthStore {
  /// Returns the activity summaries of all days in UTC, in the order of their days.
  ///
  /// - Throws: The errors of opening the store and of reading samples.
  package func storedActivitySummaries() throws -> [HKActivitySummary] {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    let reader = StoreReader(
      try location.open(), subject: subject, policy: nil, calendar: calendar)
    return try LiveActivitySummaries(SampleCondition(nil), calendar: calendar, reader).summaries
  }
}
