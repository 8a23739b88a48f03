import SampleLog

/// What was set about somebody's activity: goals from a day on, and days as a whole.
struct ActivitySettings: Sendable {
  /// Rises with each change, so that a reader can tell whether there was one.
  var revision: UInt64 = 0

  /// Goals and the day from which they are those, rising; nil for the beginning of time.
  var goals: [(from: CalendarDay?, goals: ActivityGoals)] = []

  /// The days that were set as a whole.
  var days: [CalendarDay: ActivitySummaryValues] = [:]

  /// The goals of a day; nil where none were set.
  func goals(on day: CalendarDay) -> ActivityGoals? {
    goals.last { $0.from.map { $0 <= day } ?? true }?.goals
  }
}

/// What tells the settings' extent, in a setting of its own.
struct ActivityIndex: Sendable {
  var settings = ActivitySettings()

  /// The groups of days that have any: those between the first and the last may be many more.
  var groups: Set<Int> = []

  private static let version: UInt8 = 1

  init() {}

  /// Reads an index; nil where the bytes are none.
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

  /// The index as bytes.
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

/// Neighbouring days that share a setting: one for each day would take as much memory as its
/// samples' index, and one for all would be rewritten for each day.
struct ActivityDays: Sendable {
  var days: [CalendarDay: ActivitySummaryValues] = [:]

  private static let version: UInt8 = 1

  init() {}

  /// The number of a day's group.
  static func group(of day: CalendarDay) -> Int { day.number >> 5 }

  /// Reads a group; nil where the bytes are none.
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

  /// The group as bytes; none where no day is in it.
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
