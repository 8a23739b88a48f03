/// A row that a commit adds because of rows that it deletes, and that belongs to one that stays.
package struct FollowingRow: Sendable {
  let owner: Row
  let type: Symbol
  let id: Identifier
  let extras: [UInt8]

  /// Makes a row of an ``OwnedType``, whose extras name its owner first.
  package init(ownedBy owner: Row, type: Symbol, id: Identifier, extras: Extras) {
    self.owner = owner
    self.type = type
    self.id = id
    self.extras = extras.encoded
  }
}

extension Preparation {
  /// Adds what delegates say follows from the deletions.
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
