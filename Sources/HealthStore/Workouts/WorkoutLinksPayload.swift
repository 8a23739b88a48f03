import Foundation
import SampleLog

/// The payload of a workout's child row: links to samples that belong to the workout.
///
/// Stored in child rows so that reading workouts does not read thousands of identifiers. Grouped by
/// type, with the time range of each group, so that resolving links reads only matching blocks.
package struct WorkoutLinksPayload: ChildPayload {
  package static let kind: UInt64 = 19
  package static let childType = "links"
  private static let version: UInt8 = 1

  /// The samples of one type.
  struct Group: Hashable, Sendable {
    /// The type's identifier.
    var type: String
    /// The lower bound of starts, in seconds since the reference date.
    var start: Double
    /// The upper bound of ends, in seconds since the reference date.
    var end: Double
    /// The samples without sync identifier, by identifier.
    var ids: [Identifier] = []
    /// The samples with sync identifier, which later versions may replace.
    var versioned: [Member] = []
  }

  var groups: [Group]

  package var members: [Member] {
    groups.flatMap { group in
      group.ids.map { Member(id: $0, type: group.type) } + group.versioned
    }
  }

  package var encoded: [UInt8] {
    var writer = ByteWriter()
    writer.byte(Self.version)
    writer.list(groups) { writer, group in
      writer.text(group.type)
      writer.fixed(group.start)
      writer.fixed(group.end)
      writer.list(group.ids) { $0.fixed($1) }
      writer.list(group.versioned) { writer, member in
        writer.fixed(member.id)
        writer.string(member.syncIdentifier)
      }
    }
    return writer.bytes
  }

  package init?(_ bytes: UnsafeRawBufferPointer) {
    var reader = ByteReader(bytes)
    guard reader.byte() == Self.version,
      let groups = reader.list({ reader in
        guard let type = reader.text(), let start = reader.finite(), let end = reader.finite(),
          let ids = reader.list({ $0.identifier() }),
          let versioned = reader.list({ reader in
            guard let id = reader.identifier(), let name = reader.string() else {
              return nil as Member?
            }
            return Member(id: id, type: type, syncIdentifier: name)
          })
        else { return nil as Group? }
        return Group(type: type, start: start, end: end, ids: ids, versioned: versioned)
      }), reader.isAtEnd
    else { return nil }
    self.groups = groups
  }

  /// Returns the value column of a child row: its number, or a negative number if samples lie
  /// outside the workout's dates.
  ///
  /// Range filters find such rows by the sign.
  package func value(number: Double, start: Date, end: Date) -> Double {
    let (start, end) = (
      start.timeIntervalSinceReferenceDate, end.timeIntervalSinceReferenceDate
    )
    return groups.allSatisfy { $0.start >= start && $0.end <= end } ? number : -1 - number
  }

  /// Returns whether a child row was saved together with its workout.
  static func isFirst(_ row: Row, of workout: Identifier) -> Bool {
    let number = row.value < 0 ? -1 - row.value : row.value
    guard let number = UInt64(exactly: number) else { return false }
    return row.id == Identifier(childOf: workout, type: childType, number: number)
  }

  /// Returns whether the payload links to any of the samples.
  func names(_ ids: Set<Identifier>) -> Bool {
    groups.contains { group in
      group.ids.contains(where: ids.contains) || group.versioned.contains { ids.contains($0.id) }
    }
  }

  /// Returns links to any number of samples, split into payloads of at most 65,536 samples.
  static func all(_ samples: [HKSample], revision: HKSourceRevision) -> [WorkoutLinksPayload] {
    stride(from: 0, to: samples.count, by: 1 << 16).map { first in
      WorkoutLinksPayload(
        Array(samples[first..<min(first + (1 << 16), samples.count)]), revision: revision)
    }
  }

  /// Creates links to samples.
  ///
  /// The given revision applies to samples that specify none.
  init(_ samples: [HKSample], revision: HKSourceRevision) {
    self.init(
      samples.map { (Member($0, revision: revision), $0.startDate, $0.endDate) })
  }

  /// Creates a link to one sample without sync identifier.
  package init(_ id: UUID, type: String, start: Date, end: Date) {
    self.init([(Member(id: Identifier(id), type: type), start, end)])
  }

  /// Creates links to samples with the given dates.
  init(_ samples: [(member: Member, start: Date, end: Date)]) {
    var groups: [String: Group] = [:]
    for (member, start, end) in samples {
      let (start, end) = (
        start.timeIntervalSinceReferenceDate, end.timeIntervalSinceReferenceDate
      )
      var group = groups[member.type] ?? Group(type: member.type, start: start, end: end)
      group.start = min(group.start, start)
      group.end = max(group.end, end)
      if member.syncIdentifier.isEmpty {
        group.ids.append(member.id)
      } else {
        group.versioned.append(member)
      }
      groups[member.type] = group
    }
    self.groups = groups.values.sorted { $0.type < $1.type }
    for index in self.groups.indices {
      self.groups[index].ids.sort()
      self.groups[index].versioned.sort { $0.id < $1.id }
    }
  }
}

/// The payload of a workout's child row: statistics of samples that were added after the workout
/// was saved.
package struct WorkoutAdditionPayload: ChildPayload {
  package static let kind: UInt64 = 21
  package static let childType = "additions"
  private static let version: UInt8 = 1

  var statistics: [WorkoutStatistic]
  var activities: [(id: Identifier, statistics: [WorkoutStatistic])]

  package var encoded: [UInt8] {
    var writer = ByteWriter()
    writer.byte(Self.version)
    writer.list(statistics) { $1.write(to: &$0) }
    writer.list(activities) { writer, activity in
      writer.fixed(activity.id)
      writer.list(activity.statistics) { $1.write(to: &$0) }
    }
    return writer.bytes
  }

  package init?(_ bytes: UnsafeRawBufferPointer) {
    var reader = ByteReader(bytes)
    guard reader.byte() == Self.version, let statistics = reader.list(WorkoutStatistic.read),
      let activities = reader.list({ reader in
        guard let id = reader.identifier(), let statistics = reader.list(WorkoutStatistic.read)
        else { return nil as (id: Identifier, statistics: [WorkoutStatistic])? }
        return (id, statistics)
      }), reader.isAtEnd
    else { return nil }
    self.statistics = statistics
    self.activities = activities
  }

  /// Computes the statistics of samples for a workout and its activities.
  ///
  /// - Throws: The errors of ``SampleValues``.
  init(
    _ samples: [HKSample], of activities: [HKWorkoutActivity], _ values: SampleValues
  ) throws {
    statistics = try WorkoutStatistic.all(of: samples, values)
    self.activities = try activities.compactMap { activity in
      let statistics = try activity.statistics(of: samples, values)
      return statistics.isEmpty ? nil : (Identifier(activity.uuid), statistics)
    }
  }
}

extension HKWorkoutActivity {
  /// Returns the statistics of samples during the activity.
  ///
  /// An activity in progress has no upper bound.
  ///
  /// - Throws: The errors of ``SampleValues``.
  func statistics(of samples: [HKSample], _ values: SampleValues) throws -> [WorkoutStatistic] {
    try WorkoutStatistic.all(of: samples, in: (startDate, endDate ?? .distantFuture), values)
  }
}

extension WorkoutLinksPayload.Group {
  /// Creates a link to one sample without time bounds.
  init(_ member: Member) {
    self.init(type: member.type, start: -.infinity, end: .infinity)
    if member.syncIdentifier.isEmpty { ids = [member.id] } else { versioned = [member] }
  }
}
