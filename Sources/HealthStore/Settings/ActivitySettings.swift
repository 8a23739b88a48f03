import SampleLog

/// A subject's activity settings: goals by start day, and days that were set explicitly.
struct ActivitySettings: Sendable {
  /// A revision number that each change increments, so that readers can detect changes.
  var revision: UInt64 = 0

  /// The goals with their start days, in ascending order.
  ///
  /// A start day of nil is the beginning of time.
  var goals: [(from: CalendarDay?, goals: ActivityGoals)] = []

  /// The days that were set explicitly.
  var days: [CalendarDay: ActivitySummaryValues] = [:]

  /// Returns the goals of a day, or nil if none are set.
  func goals(on day: CalendarDay) -> ActivityGoals? {
    goals.last { $0.from.map { $0 <= day } ?? true }?.goals
  }
}

/// The directory of the activity settings, stored as a separate setting.
struct ActivityIndex: Sendable {
  var settings = ActivitySettings()

  /// The numbers of the non-empty groups of days.
  ///
  /// They can be sparse.
  var groups: Set<Int> = []

  private static let version: UInt8 = 1

  init() {}

  /// Decodes an index, or returns nil if the bytes are malformed.
  init?(_ bytes: [UInt8]) {
    let isWhole = bytes.withUnsafeBytes { bytes in
      var reader = ByteReader(bytes)
      guard reader.byte() == Self.version, let revision = reader.fixed64(),
        let count = reader.varint()
      else { return false }
      settings.revision = revision
      for _ in 0..<count {
        guard let group = reader.integer() else { return false }
        groups.insert(group)
      }
      while !reader.isAtEnd {
        guard let hasDay = reader.byte(), let day = reader.integer(), let goals = reader.goals()
        else { return false }
        settings.goals.append((hasDay == 1 ? CalendarDay(number: day) : nil, goals))
      }
      return true
    }
    if !isWhole { return nil }
  }

  /// The encoded index.
  var bytes: [UInt8] {
    var writer = ByteWriter()
    writer.byte(Self.version)
    writer.fixed(settings.revision)
    writer.varint(UInt64(groups.count))
    for group in groups.sorted() { writer.integer(group) }
    for (day, goals) in settings.goals {
      writer.byte(day == nil ? 0 : 1)
      writer.integer(day?.number ?? 0)
      writer.goals(goals)
    }
    return writer.bytes
  }
}

/// A group of 32 consecutive days that share a setting.
///
/// A setting per day would take as much memory as the index of the day's samples, and a single
/// setting would be rewritten for each day.
struct ActivityDays: Sendable {
  var days: [CalendarDay: ActivitySummaryValues] = [:]

  private static let version: UInt8 = 1

  init() {}

  /// Returns the number of a day's group.
  static func group(of day: CalendarDay) -> Int { day.number >> 5 }

  /// Decodes a group, or returns nil if the bytes are malformed.
  init?(_ bytes: [UInt8]) {
    let isWhole = bytes.withUnsafeBytes { bytes in
      var reader = ByteReader(bytes)
      guard reader.byte() == Self.version else { return false }
      while !reader.isAtEnd {
        guard let number = reader.integer() else { return false }
        let day = CalendarDay(number: number)
        guard let values = reader.summary(of: day) else { return false }
        days[day] = values
      }
      return true
    }
    if !isWhole { return nil }
  }

  /// The encoded group, or an empty array if it has no days.
  var bytes: [UInt8] {
    if days.isEmpty { return [] }
    var writer = ByteWriter()
    writer.byte(Self.version)
    for (day, values) in days.sorted(by: { $0.key < $1.key }) {
      writer.integer(day.number)
      writer.summary(values)
    }
    return writer.bytes
  }
}

extension ByteWriter {
  fileprivate mutating func integer(_ value: Int) { fixed(UInt64(bitPattern: Int64(value))) }
}

extension ByteReader {
  fileprivate mutating func integer() -> Int? {
    fixed64().map { Int(Int64(bitPattern: $0)) }
  }
}
