import SampleLog

// What a query that asks for the samples of workouts reads when they get others.

extension StoreReader {
  /// What to read of a feed next.
  struct Step {
    var selection: SeriesSelection
    /// Rows at or before the anchor that came to belong to a workout since it was read; nil for
    /// none.
    var joined: RowSelection?
  }

  /// What to read after an anchor.
  ///
  /// What belongs to workouts is computed for each read. A sample that was saved before the anchor
  /// and came to belong to a workout after all that was read until then is as good as new: the rows
  /// that link it are numbered above the anchor's horizon.
  ///
  /// - Complexity: Of a plan that asks for workouts linear in the samples that belong to them; of
  ///   others nothing.
  func next(_ plan: QueryPlan, after anchor: Anchor, in snapshot: Snapshot) throws -> Step {
    guard let membership = plan.membership else { return Step(selection: plan.selection) }
    let anchor = try snapshot.check(anchor)
    let now = try self.plan(membership.wanted, in: snapshot, after: anchor).selection
    var step = Step(selection: now)
    guard anchor.sequence > 0, anchor.horizon < snapshot.end else { return step }
    let before = Anchor(sequence: anchor.horizon, passStart: anchor.passStart)
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

  /// The next page of a query's feed; nil when nothing was committed to its series since.
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

  /// Which series of a query's feed have changed; nil when nothing was committed to them since.
  func nextChangedSeries(_ feed: ChangeFeed, _ plan: QueryPlan) throws -> Set<SeriesKey>? {
    var joined: Set<SeriesKey> = []
    let changed = try feed.nextChangedSeries { snapshot, anchor in
      let step = try next(plan, after: anchor, in: snapshot)
      joined = Set((step.joined ?? RowSelection()).lazy.map(\.key))
      return step.selection
    }
    return changed?.union(joined)
  }

  /// Whether a series has changed after a sequence number.
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
