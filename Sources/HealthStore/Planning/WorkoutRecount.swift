import Foundation
package import SampleLog

/// Keeps the statistics of workouts consistent when samples are deleted.
package enum WorkoutRecount {
  private static let workouts = HKObjectType.workoutType().identifier
  private static let type = ChildType.name(WorkoutRecountPayload.childType, of: workouts)

  /// Registers a delegate that marks the workouts of deleted samples.
  ///
  /// A commit that deletes samples reads the links of workouts that overlap them in time, and
  /// nothing if there are no workouts. A workout is marked at most once.
  package static func addCommitHook(to database: Database) {
    if database.mode == .readOnly { return }
    _ = database.delegate { Marker() }
  }

  private final class Marker: DatabaseDelegate {
    func dependentRows(for deletions: RowGroup, in snapshot: Snapshot) throws -> [DependentRow] {
      try marks(deletions, snapshot)
    }
  }

  /// The samples of one subject that a commit deletes.
  private struct Gone {
    var ids: Set<Identifier> = []
    var start = Double.infinity
    var end = -Double.infinity
  }

  private static func marks(
    _ deletions: RowGroup, _ snapshot: Snapshot
  ) throws -> [DependentRow] {
    guard let links = snapshot.symbols.find(WorkoutMembers.linksType) else { return [] }
    var isQuantity: [Symbol: Bool] = [:]
    var gone: [Symbol: Gone] = [:]
    for row in 0..<deletions.count {
      let type = deletions.type[row]
      let counts =
        isQuantity[type]
        ?? (HKObjectType.make(identifier: snapshot.symbols.text(type)) is HKQuantityType)
      isQuantity[type] = counts
      if !counts { continue }
      var one = gone[deletions.subject[row]] ?? Gone()
      one.ids.insert(deletions.id[row])
      one.start = min(one.start, deletions.start[row])
      one.end = max(one.end, deletions.end[row])
      gone[deletions.subject[row]] = one
    }
    if gone.isEmpty { return [] }
    let leaving = Set(deletions.id)
    let mark = snapshot.symbols.intern(type)
    var marked: [Identifier: DependentRow] = [:]
    for (subject, gone) in gone {
      for row in try candidates(SeriesKey(subject: subject, type: links), gone, snapshot) {
        guard let parent = try snapshot.extras(of: row).memberOf.first, marked[parent] == nil,
          !leaving.contains(parent), let workout = try snapshot.row(parent)
        else { continue }
        let id = WorkoutRecountPayload.identifier(of: parent)
        guard try snapshot.row(id) == nil,
          try snapshot.payload(WorkoutLinksPayload.self, of: row).names(gone.ids)
        else { continue }
        var extras = Extras()
        extras.memberOf = [parent]
        WorkoutRecountPayload().add(to: &extras)
        marked[parent] = DependentRow(parent: workout, type: mark, id: id, extras: extras)
      }
    }
    return marked.sorted { $0.key < $1.key }.map(\.value)
  }

  /// Returns the rows that may link to deleted samples: those of workouts at that time, and those
  /// with samples outside their workout's dates.
  private static func candidates(
    _ key: SeriesKey, _ gone: Gone, _ snapshot: Snapshot
  ) throws -> [Row] {
    var filter = RowFilter()
    filter.value = { _ in .below(0) }
    let elsewhere = try snapshot.select([key], where: filter)
    filter.value = { _ in .from(0) }
    filter.start = .through(gone.end)
    filter.end = .from(gone.start)
    return Array(elsewhere) + (try snapshot.select([key], where: filter))
  }

  /// Returns the marked workouts of a subject that start within bounds.
  static func marked(
    _ subject: Symbol, _ start: Bounds, in snapshot: Snapshot
  ) throws -> Set<Identifier> {
    guard let type = snapshot.symbols.find(type) else { return [] }
    var filter = RowFilter()
    filter.start = start
    var found: Set<Identifier> = []
    for row in try snapshot.select([SeriesKey(subject: subject, type: type)], where: filter) {
      _ = try snapshot.payload(WorkoutRecountPayload.self, of: row)
      if let parent = try snapshot.extras(of: row).memberOf.first { found.insert(parent) }
    }
    return found
  }

  /// Returns the payload of a workout with statistics recomputed from its samples.
  ///
  /// Imported summaries are kept.
  ///
  /// - Throws: ``StoreError/damaged(file:offset:reason:)`` if a sample cannot be read.
  /// - Complexity: Linear in the number of samples that belong to the workout.
  static func payload(
    of workout: Row, _ reader: RowReader, _ snapshot: Snapshot
  ) throws -> WorkoutPayload {
    var payload = try snapshot.payload(WorkoutPayload.self, of: workout)
    let summarized = payload.keepSummaries()
    var groups: [String: [WorkoutLinksPayload.Group]] = [:]
    let linksType = snapshot.symbols.find(WorkoutMembers.linksType)
    for row in try linksType.map({ try snapshot.children(of: workout, type: $0) }) ?? [] {
      let links = try snapshot.payload(WorkoutLinksPayload.self, of: row)
      for group in links.groups {
        // An imported workout's summary already covers the samples it was imported with.
        if summarized.contains(group.type), WorkoutLinksPayload.isFirst(row, of: workout.id) {
          continue
        }
        groups[group.type, default: []].append(group)
      }
    }
    var samples: [HKSample] = []
    for (name, groups) in groups.sorted(by: { $0.key < $1.key }) {
      guard let type = HKObjectType.make(identifier: name) as? HKQuantityType,
        let symbol = snapshot.symbols.find(Array(name.utf8))
      else { continue }
      let key = SeriesKey(subject: workout.subject, type: symbol)
      let condition = try WorkoutMembers.condition(groups, key, snapshot)
      guard
        let filter = ConditionPlanner.filter(condition, type, reader, nil, snapshot: { snapshot })
      else { continue }
      var check = RowCheck(reader)
      for row in try snapshot.select([key], where: filter, order: .start(ascending: true)) {
        try check.check(row, in: snapshot)
        samples.append(
          HKSample.make(block: StoredBlock(row.block, type, reader), row: Int32(row.row)))
      }
    }
    payload.add(
      try WorkoutAdditionPayload(samples, of: payload.activities, SampleValues(snapshot)))
    return payload
  }
}

extension WorkoutPayload {
  /// Removes the statistics computed from samples; returns the types of the imported summaries that
  /// remain.
  fileprivate mutating func keepSummaries() -> Set<String> {
    // Weight 0 marks a summary, because its number of samples is unknown.
    statistics.removeAll { $0.weight > 0 }
    activities = activities.map { activity in
      activity.with(statistics: activity.statistics.filter { $0.weight == 0 })
    }
    return Set(statistics.map(\.type.identifier))
  }
}
