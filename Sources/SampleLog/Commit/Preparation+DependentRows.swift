/// A dependent row: a child row of a surviving sample that a commit adds because of its deletions.
package struct DependentRow: Sendable {
  let parent: Row
  let type: Symbol
  let id: Identifier
  let extras: [UInt8]

  /// Creates a row of a ``ChildType``.
  ///
  /// The first entry of its extras' ``Extras/memberOf`` names the parent.
  package init(parent: Row, type: Symbol, id: Identifier, extras: Extras) {
    self.parent = parent
    self.type = type
    self.id = id
    self.extras = extras.encoded
  }
}

extension Preparation {
  /// Adds the dependent rows that delegates return for the commit's deletions.
  mutating func addDependentRows(from delegates: DatabaseDelegates) throws {
    if payload.deletions.count == 0 { return }
    let dependents = try delegates.all.flatMap {
      try $0.dependentRows(for: payload.deletions, in: snapshot)
    }
    if dependents.isEmpty { return }
    var batch = Batch()
    batch.rows = payload.rows
    for row in dependents {
      let (block, place) = (row.parent.block, row.parent.row)
      parents.insert(row.parent.id)
      batch.rows.blobs.append(row.extras)
      batch.add(
        subject: row.parent.subject, type: row.type, id: row.id, start: block.start[place],
        end: block.end[place], value: 0, extras: UInt32(batch.rows.blobs.count))
    }
    payload.rows = batch.rows
  }
}
