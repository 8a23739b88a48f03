/// The result of moving a subject's data.
public struct MoveResult: Hashable, Sendable {
  /// The number of samples that were moved.
  public var sampleCount = 0
  /// The number of samples that were not moved because the other subject has the same or a later
  /// version of them.
  public var superseded = 0
  /// The number of the other subject's samples that were deleted because a later version replaced
  /// them.
  public var replaced = 0
  /// The sequence number of the erasure that completes the move, or nil if the subject had no data.
  public var sequence: UInt64?
}

extension Database {
  /// Moves all data of a subject to another one atomically: samples with their identifiers, and
  /// settings.
  ///
  /// In feeds, the moved samples are new samples of the other subject, and those of the first
  /// subject are erased as by ``erase(_:)``, with the same effects on its feeds and files.
  /// Registrations of the first subject do not move. Of samples with the same type and sync
  /// identifier, the later version is kept; of settings with the same key, the other subject's.
  ///
  /// Retained deletions move as well, so that no copy of a deleted sample can return as the other
  /// subject's; their retention starts anew. A sample that is not moved because the other subject
  /// has a later version counts as deleted. A deletion is forgotten if a live sample has its
  /// identifier, because that sample was committed later.
  ///
  /// - Parameters:
  ///   - subject: The subject whose data moves. Subjects are compared byte by byte.
  ///   - other: The subject that receives the data. If both are equal, nothing changes.
  ///   - isNew: Whether to throw an error if the other subject has data.
  /// - Returns: The result, once the move is durable.
  /// - Throws: ``StoreError/invalid(_:)`` if `isNew` is true and the other subject has data, and
  ///   for another database's name; ``StoreError/limitExceeded(_:actual:allowed:)`` if the data
  ///   exceeds the limits of one commit; ``StoreError/damaged(file:offset:reason:)``; and the
  ///   errors of ``commit(_:durability:)``. Nothing has changed in these cases.
  /// - Complexity: Time and memory linear in the subject's samples and retained deletions. Other
  ///   commits wait in the meantime.
  @discardableResult
  public func move(_ subject: Name, to other: Name, isNew: Bool) throws -> MoveResult {
    try move(symbols.symbol(of: subject), to: symbols.symbol(of: other), isNew: isNew)
  }

  @discardableResult
  package func move(_ subject: Symbol, to other: Symbol, isNew: Bool) throws -> MoveResult {
    try checkWritable()
    guard Int(max(subject, other)) < symbols.count else { throw StoreError.unknownSymbol }
    if subject == other { return MoveResult() }
    let (name, otherName) = (symbols.name(subject), symbols.name(other))
    return try registering.withLock { _ in
      var result = MoveResult()
      let commit = try commitExclusively(.durable) { preparation in
        let snapshot = preparation.snapshot
        let settings = state.withLock { $0.settings }
        if isNew, try settings.isAnything(about: otherName) || snapshot.hasLiveRows(of: other) {
          throw StoreError.invalid("There is something of the subject already.")
        }
        let series = snapshot.series(of: subject, [.sample, .deletion])
        if series.isEmpty, !settings.isAnything(about: name) { return }
        var (batch, erased) = try snapshot.rows(of: series, movedTo: other)
        batch.settings = settings.moved(from: name, to: otherName)
        batch.set(Erasure.setting(name, time: options.clock()))
        try preparation.prepare(batch, erasing: erased)
        let moved = preparation.result.superseded > 0 ? Set(preparation.payload.rows.id) : nil
        try preparation.carryDeletions {
          try snapshot.addDeletions(of: series, movedTo: other, without: moved, to: &$0)
        }
        let childCount = preparation.payload.rows.type.count { symbols.isChildType($0) }
        result.sampleCount = preparation.payload.rows.count - childCount
      }
      result.superseded = commit.superseded
      result.replaced = commit.replaced
      // The erasure is the last of the commit's records.
      result.sequence = commit.sequences?.upperBound
      return result
    }
  }
}

extension Snapshot {
  /// Returns copies of the live rows of some series with another subject, and the rows' sequence
  /// numbers.
  fileprivate func rows(
    of series: [SeriesKey], movedTo other: Symbol
  ) throws -> (Batch, [UInt64]) {
    var (batch, sequences) = (Batch(), [UInt64]())
    try scan(series) { block, rows in
      for row in rows.lazy.map(Int.init) {
        sequences.append(block.sequence[row])
        batch.add(
          subject: other, type: block.type, id: block.id[row], start: block.start[row],
          end: block.end[row], value: block.value[row], unit: block.unit[row],
          source: block.source[row], device: block.device[row],
          extras: batch.intern(extras: [UInt8](block.extras(at: row))))
      }
      return true
    }
    return (batch, sequences)
  }

  /// Appends the retained deletions of some series as deletions of another subject, and deletions
  /// of the live samples that do not move.
  ///
  /// Deletions of child rows are left out, because they have no readers.
  fileprivate func addDeletions(
    of series: [SeriesKey], movedTo other: Symbol, without moved: Set<Identifier>?,
    to group: inout RowGroup
  ) throws {
    let series = series.filter { !symbols.isChildType($0.type) }
    for key in series {
      try forEachDeletion(in: key, .all) { deletion in
        if try row(deletion.id) != nil { return }
        group.append(deletion, of: other, target: deletion.block.target[deletion.row])
      }
    }
    guard let moved else { return }
    try scan(series) { block, rows in
      for row in rows.lazy.map({ Row(block, Int($0)) }) where !moved.contains(row.id) {
        group.append(row, of: other, target: row.sequence)
      }
      return true
    }
  }

  fileprivate func hasLiveRows(of subject: Symbol) throws -> Bool {
    let series = series(of: subject)
    var isAny = false
    try scan(series, columns: .sequence) { _, _ in
      isAny = true
      return false
    }
    return isAny
  }
}

extension Settings {
  /// Returns the subject's settings as settings of another subject, except those that the other
  /// subject already has.
  ///
  /// Registrations are not moved: they belong to the subject's series.
  fileprivate func moved(
    from subject: [UInt8], to other: [UInt8]
  ) -> [(key: [UInt8], value: [UInt8])] {
    let kinds = [SubjectSetting.series, .profile].map { ($0.prefix(subject), $0.prefix(other)) }
    return all.compactMap { setting in
      guard !setting.value.isEmpty,
        let (old, new) = kinds.first(where: { setting.key.starts(with: $0.0) })
      else { return nil }
      let key = new + setting.key[old.count...]
      return self[key].map(\.value.isEmpty) ?? true ? (key, setting.value) : nil
    }
    .sorted { $0.key.lexicographicallyPrecedes($1.key) }
  }
}
