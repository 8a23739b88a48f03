/// A dependent row: a child row of a surviving sample that a commit adds because of its deletions.
package struct FollowingRow: Sendable {
  let owner: Row
  let type: Symbol
  let id: Identifier
  let extras: [UInt8]

  /// Creates a row of an ``OwnedType``.
  ///
  /// The first entry of its extras' ``Extras/memberOf`` names the parent.
  package init(ownedBy owner: Row, type: Symbol, id: Identifier, extras: Extras) {
    self.owner = owner
    self.type = type
    self.id = id
    self.extras = extras.encoded
  }
}

extension Preparation {
  /// Adds the dependent rows that delegates return for the commit's deletions.
  mutating func follow(_ delegates: DatabaseDelegates) throws {
    if payload.deletions.count == 0 { return }
    let following = try delegates.all.flatMap {
      try $0.rows(following: payload.deletions, in: snapshot)
    }
    if following.isEmpty { return }
    var batch = Batch()
    batch.rows = payload.rows
    for row in following {
      let (block, place) = (row.owner.block, row.owner.row)
      owners.insert(row.owner.id)
      batch.rows.blobs.append(row.extras)
      batch.add(
        subject: row.owner.subject, type: row.type, id: row.id, start: block.start[place],
        end: block.end[place], value: 0, extras: UInt32(batch.rows.blobs.count))
    }
    payload.rows = batch.rows
  }
}
