import SampleLog

// Incremental reads of queries that depend on workout membership.

extension StoreReader {
  /// The next read of a feed.
  struct Step {
    var selection: SeriesSelection
    /// The rows at or before the anchor that were added to a workout since the last read, or nil if
    /// there are none.
    var joined: RowSelection?
  }

  /// Returns the selection to read after an anchor.
  ///
  /// Workout membership is resolved for each read. A sample saved before the anchor but linked to a
  /// workout after the last read counts as new: the sequence numbers of its link rows are greater
  /// than the anchor's horizon.
  ///
  /// - Complexity: Linear in the samples of the workouts if the plan depends on workouts;
  ///   otherwise constant.
  func next(_ plan: QueryPlan, after anchor: Anchor, in snapshot: Snapshot) throws -> Step {
    guard let membership = plan.membership else { return Step(selection: plan.selection) }
    let anchor = try snapshot.check(anchor)
    let now = try self.plan(membership.wanted, in: snapshot, after: anchor).selection
    var step = Step(selection: now)
    guard anchor.sequence > 0, anchor.horizon < snapshot.end else { return step }
    let before = Anchor(sequence: anchor.horizon, initialLoadEnd: anchor.initialLoadEnd)
    let links = try snapshot.changes(after: before, in: membership.links, limit: 1)
    if links.changes.isEmpty { return step }
    let known = try self.plan(membership.wanted, in: snapshot, through: anchor.horizon).selection
    let ids = Set(try snapshot.select(known, order: .start(ascending: true)).map(\.id))
    let joined = try snapshot.select(now, order: .start(ascending: true)).keeping {
      $0.sequence <= anchor.sequence && !ids.contains($0.id)
    }
    if !joined.isEmpty { step.joined = joined }
    return step
  }

  /// Returns the next page of a query's feed, or nil if there are no new commits to its series.
  func nextChanges(
    _ feed: ChangeFeed, _ plan: QueryPlan, limit: Int? = nil
  ) throws -> ObjectChanges? {
    var joined: RowSelection?
    let page = try feed.next(limit: limit) { snapshot, anchor in
      let step = try next(plan, after: anchor, in: snapshot)
      joined = step.joined
      return step.selection
    }
    return try page.map { try objects($0, joined) }
  }

  /// Returns the series of a query's feed that changed, or nil if there are no new commits to them.
  func nextChangedSeries(_ feed: ChangeFeed, _ plan: QueryPlan) throws -> Set<SeriesKey>? {
    var joined: Set<SeriesKey> = []
    let changed = try feed.nextChangedSeries { snapshot, anchor in
      let step = try next(plan, after: anchor, in: snapshot)
      joined = Set((step.joined ?? RowSelection()).lazy.map(\.key))
      return step.selection
    }
    return changed?.union(joined)
  }

  /// Returns whether a series changed after a sequence number.
  func hasChanged(
    _ plan: QueryPlan, _ key: SeriesKey, after sequence: UInt64, in snapshot: Snapshot
  ) throws -> Bool {
    let anchor = Anchor(sequence: sequence)
    let step = try next(plan, after: anchor, in: snapshot)
    if step.joined?.contains(where: { $0.key == key }) == true { return true }
    let part = SeriesSelection([key: step.selection.filter(for: key)])
    return try !snapshot.changes(after: anchor, of: part, limit: 1).changes.isEmpty
  }
}
