import Foundation
import SampleLog

/// Resolves the samples that belong to workouts.
enum WorkoutMembers {
  /// The type name of the link rows.
  static let linksType = ChildType.name(
    WorkoutLinksPayload.childType, of: HKObjectType.workoutType().identifier)

  /// Returns the condition for samples of a series that belong to a workout or rate its effort, or
  /// that belong to any workout.
  ///
  /// It consists of their identifiers and time bounds, according to link rows up to a sequence
  /// number. Versions of a sample that were deleted after the anchor match as well.
  ///
  /// - Throws: ``StoreError/damaged(file:offset:reason:)`` if link rows cannot be read.
  /// - Complexity: Linear in the samples of the workout. Only samples with a sync identifier are
  ///   read.
  static func condition(
    _ belonging: SampleCondition, of key: SeriesKey, on type: HKSampleType, _ reader: RowReader,
    _ snapshot: Snapshot, through last: UInt64 = .max, after anchor: Anchor? = nil
  ) throws -> SampleCondition {
    func rows(_ name: [UInt8], of workout: UUID?) throws -> [Row] {
      try self.rows(name, of: workout, key.subject, reader, snapshot).filter {
        $0.sequence <= last
      }
    }
    let groups: [WorkoutLinksPayload.Group]
    switch belonging {
    case .workout(let workout):
      groups = try rows(linksType, of: workout).flatMap {
        try snapshot.payload(WorkoutLinksPayload.self, of: $0).groups
      }
    case .effort(let parent):
      groups = try rows(WorkoutEffortPayload.type, of: parent?.workout).compactMap {
        let effort = try snapshot.payload(WorkoutEffortPayload.self, of: $0)
        return parent?.admits(effort) ?? true ? WorkoutLinksPayload.Group(effort.sample) : nil
      }
    default: return belonging
    }
    return try condition(
      groups.filter { $0.type == type.identifier }, key, snapshot, after: anchor)
  }

  /// Returns the condition for the samples of groups, including versions that replaced them and
  /// those deleted after the anchor.
  static func condition(
    _ groups: [WorkoutLinksPayload.Group], _ key: SeriesKey, _ snapshot: Snapshot,
    after anchor: Anchor? = nil
  ) throws -> SampleCondition {
    var ids: Set<UUID> = []
    var (start, end) = (Double.infinity, -Double.infinity)
    for group in groups {
      (start, end) = (min(start, group.start), max(end, group.end))
      for id in group.ids { ids.insert(id.uuid) }
      for member in group.versioned {
        // Includes replaced versions, because their deletion is a change as well.
        ids.insert(member.id.uuid)
        guard try snapshot.row(member.id) == nil,
          let row = try snapshot.row(key, syncIdentifier: member.syncIdentifier)
        else { continue }
        ids.insert(row.id.uuid)
        // A later version may have other dates.
        (start, end) = (min(start, row.block.start[row.row]), max(end, row.block.end[row.row]))
      }
    }
    let names = Set(groups.flatMap { $0.versioned.map(\.syncIdentifier) })
    if let anchor, !names.isEmpty {
      var filter = RowFilter()
      filter.condition = { block, row in
        guard block.kind == .deletion, let extras = Extras(block.extras(at: row)) else {
          return false
        }
        return names.contains(extras.syncIdentifier)
      }
      for change in try snapshot.changes(after: anchor, in: [key], where: filter).changes {
        let (block, row) = (change.row.block, change.row.row)
        ids.insert(change.row.id.uuid)
        (start, end) = (min(start, block.start[row]), max(end, block.end[row]))
      }
    }
    if ids.isEmpty { return .never }
    return .all([
      .startDate(.greaterOrEqual, Date(timeIntervalSinceReferenceDate: start)),
      .endDate(.lessOrEqual, Date(timeIntervalSinceReferenceDate: end)), .uuid(ids),
    ])
  }

  /// Returns the child rows of a type of one workout, or of all workouts for nil.
  private static func rows(
    _ name: [UInt8], of workout: UUID?, _ subject: Symbol, _ reader: RowReader,
    _ snapshot: Snapshot
  ) throws -> [Row] {
    guard let type = snapshot.symbols.find(name) else { return [] }
    guard let workout else {
      return Array(try snapshot.select([SeriesKey(subject: subject, type: type)]))
    }
    guard let row = try snapshot.row(Identifier(workout)), row.subject == subject,
      reader.type(of: row) is HKWorkoutType
    else { return [] }
    return try snapshot.children(of: row, type: type)
  }
}
