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

/// Says what follows from deletions, given those of a commit and the snapshot they are of.
package typealias DeletionFollower = @Sendable (RowGroup, Snapshot) throws -> [FollowingRow]

/// Holds the function in the place that its lock guards.
///
/// A function that a generic type holds is converted when it is read in place, and converted again
/// to be put back: each reading would wrap it in two more functions, until a call overflows the
/// stack.
struct DeletionFollowing: Sendable {
  let body: DeletionFollower
}

extension Database {
  /// Has every commit of this handle that deletes rows add what a function makes of them, whoever
  /// deletes them and however.
  ///
  /// The rows that it returns must be of identifiers that no live row has, and their owners must be
  /// alive and not among those deleted. An error of the function's is the commit's. It must not
  /// commit anything.
  package func follow(_ body: @escaping DeletionFollower) {
    deletionFollower.withLock { $0 = DeletionFollowing(body: body) }
  }
}

extension Preparation {
  /// Adds what follows from the deletions.
  mutating func follow(_ body: DeletionFollower) throws {
    let following = try body(payload.deletions, snapshot)
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
